// node bench/year.mjs [COUNT]: COUNT clients (20,000 by default) live through a year in each of three services on SQLite, by the
// parts of the service and a clock that is moved. docs/operate/year.md#life-cycle-of-a-client says what must hold; the program fails where it does not.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import assert from 'node:assert/strict'

// The clock of the process: days are added to it.
const day = 86_400
const RealDate = Date
let movedBy = 0
globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [RealDate.now() + movedBy] : given))
  }
  static now() {
    return RealDate.now() + movedBy
  }
}

const { compose, createLog, loadConfig, readFile } = await import('../packages/app/dist/index.js')
const { openData } = await import('../packages/app/dist/data/open-data.js')
const { registrationSettings } = await import('../packages/app/dist/config/registration.js')
const { manage } = await import('../packages/app/dist/cli/manage.js')
const { decideRegistration } = await import('../packages/domain/dist/registration/index.js')
const { announceRemovals, sweepClients } = await import('../packages/domain/dist/operations/index.js')
const { noLimits } = await import('../packages/domain/dist/ports/index.js')

const total = Number(process.argv[2] ?? 20_000)
const days = 365

const orThrow = (result) => {
  if (result._tag === 'Left') throw new Error('the step failed', { cause: result.left })
  return result.right
}

// Each client of the year: when it comes, by whom, and the days from one use to the next, if it is used.
const arrivals = ['open', 'open', 'open', 'token', 'open', 'operator', 'open', 'import', 'open', 'import used']
const plan = (number) => {
  const kind = arrivals[number % arrivals.length]
  const comes = number % 2 === 0 ? 0 : Math.floor((number / total) * (days - 5))
  // Imports come on two days.
  const born = kind.startsWith('import') ? (number % 4 === 1 ? 100 : 220) : comes
  const isUsed = kind === 'import used' || number % 7 < 4
  return { number, kind, born, next: isUsed ? born + (number % 6) : Infinity, every: 1 + (number % 28) }
}

const metadata = (number) => ({
  redirect_uris: [`https://app-${number}.example/callback`],
  client_name: `App ${number}`,
})

const registrantOf = { open: 'nobody', token: 'token', operator: 'master' }

/** Whether a use on that day is recorded, whether there are uses on it, and whether the service runs. */
const worlds = {
  'engine none, clients are only read': { engine: 'none', isRecorded: () => false, runs: () => true },
  // The login system begins to record after two months, and fails for six weeks. Nobody works at weekends.
  'engine none, uses are recorded': {
    engine: 'none',
    isRecorded: (at) => at >= 60 && !(at >= 150 && at < 192),
    isOpen: (at) => at % 7 < 5,
    runs: () => true,
  },
  // The service is down for six weeks.
  'engine oidc-provider': {
    engine: 'oidc-provider',
    isRecorded: () => true,
    runs: (at) => !(at >= 150 && at < 192),
  },
}

const settingsOf = (engine, directory) =>
  orThrow(
    loadConfig({
      flags: {
        'data-dir': directory,
        engine,
        'allow-open-registration': 'true',
        'signing-algorithms': 'ES256',
        port: '0',
        'log-level': 'error',
      },
      environment: {},
      readFile,
    }),
  ).config

const onFatal = (error) => {
  throw error
}

const started = async (config) => orThrow(await compose(config, { log: createLog('error', process.stderr), onFatal })())

const opened = async (config) =>
  orThrow(
    await openData(config, {
      onFatal,
      expectExisting: false,
      admit: () => async () => ({ _tag: 'Right', right: undefined }),
    })(),
  )

const registered = (config, { generator }, { number, kind }) => {
  const issued = generator.issue()
  const { client } = orThrow(
    decideRegistration(registrationSettings(config, 'http://127.0.0.1'))({
      credential: { kind: kind === 'open' ? 'none' : 'master' },
      token: { _tag: 'None' },
      statement: { _tag: 'None' },
      issued,
      body: { _tag: 'Right', right: metadata(number) },
    }),
  )
  return { client: { ...client, registered_by: registrantOf[kind] }, issued }
}

/** Dates of the import are old, and some clients were used long ago. */
const recordOf = ({ number, kind }) => ({
  clientele_client: 2,
  client_id: `imported-${number}`,
  client_secret: `secret-of-${number}-${'x'.repeat(32)}`,
  registration_access_token: `token-of-${number}-${'x'.repeat(32)}`,
  registered_by: number % 3 === 0 ? 'token' : 'nobody',
  client_id_issued_at: 1_500_000_000,
  metadata: metadata(number),
  ...(kind === 'import used' ? { last_used_at: 1_500_076_800 } : {}),
})

const batches = (all, size) =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))

const lead = async (name, { engine, isRecorded, isOpen = () => true, runs }) => {
  const began = performance.now()
  const directory = mkdtempSync(join(tmpdir(), 'clientele-year-'))
  const config = settingsOf(engine, directory)
  const clients = Array.from({ length: total }, (_, number) => plan(number))
  const stored = new Map()
  const credentials = new Map()
  const counts = { parked: 0, removed: 0, uses: 0, unseen: 0 }
  const removed = new Map()
  const announcements = new Map()
  // The first start makes the keys.
  await (await started(config)).stop()
  let data = await opened(config)
  const importing = async (brought) => {
    await data.store.close()
    for (const batch of batches(brought, 100))
      for (const { outcome } of orThrow(
        await manage(config, (ask) => async () => {
          const sent = { replace: false, clients: batch.map(recordOf) }
          const answer = orThrow(await ask('/imported-clients?dry_run=false', sent)())
          return { _tag: 'Right', right: (await answer.json()).clients }
        })(),
      ))
        assert.equal(outcome, 'added')
    data = await opened(config)
    for (const each of brought) {
      const found = orThrow(await data.store.registry.findClient(`imported-${each.number}`)())
      stored.set(each.number, found.value)
    }
  }
  const registering = async (coming) => {
    for (const batch of batches(coming, 200))
      await Promise.all(
        batch.map(async (each) => {
          const { client, issued } = registered(config, data, each)
          orThrow(await data.store.registry.addClient({ client, consumedToken: { _tag: 'None' }, limits: noLimits })())
          stored.set(each.number, client)
          credentials.set(each.number, {
            client_id: client.client_id,
            secret: issued.client_secret,
            token: issued.registration_access_token.token,
          })
        }),
      )
  }
  const using = async (at) => {
    const used = clients.filter(({ next }) => at >= next)
    for (const each of used) Object.assign(each, { lastUse: at, next: at + each.every })
    counts.uses += used.length
    if (!isRecorded(at)) return void (counts.unseen += used.length)
    for (const batch of batches(used, 200))
      await Promise.all(
        batch.map(({ number }) =>
          data.store.clientUses.recordUse(stored.get(number), data.generator.now())().then(orThrow),
        ),
      )
  }
  const remaining = async () => {
    const ids = new Set()
    for (const batch of batches([...stored.values()], 1_000))
      for (const { client_id } of orThrow(await data.store.clientUses.findUses(batch.map((each) => each.client_id))()))
        ids.add(client_id)
    return ids
  }
  const sweeping = async (at) => {
    const ports = { ...data.operations, recordsUses: config.engine !== 'none' }
    let swept = 0
    for (let more = true; more;) {
      const outcome = orThrow(await sweepClients(ports)())
      more = outcome.more
      swept += outcome.removed
      counts.parked += outcome.parked
    }
    if (swept > 0) {
      const present = await remaining()
      for (const each of clients) {
        const client = stored.get(each.number)
        if (client === undefined || present.has(client.client_id) || removed.has(each.number)) continue
        removed.set(each.number, at)
        assert.equal(each.kind, 'open', `${client.client_id} is an operator's or imported`)
        assert.equal(each.lastUse, undefined, `${client.client_id} was in use`)
      }
      // What the service said on the last days on which it ran.
      const before = [...announcements.keys()].filter((each) => each < at)
      const [yesterday, weekAgo, month] = [before.at(-1), before.findLast((each) => each <= at - 7), before.at(-23)]
      assert.ok(swept <= announcements.get(yesterday).within_a_day, 'announced on the day before')
      if (weekAgo >= at - 8) assert.ok(swept <= announcements.get(weekAgo).within_a_week, 'announced a week before')
      assert.ok(swept <= announcements.get(month).clients, 'announced 23 observed days before')
      assert.ok(announcements.get(yesterday).first_at <= Math.floor(Date.now() / 1_000))
    }
    counts.removed += swept
    assert.equal(removed.size, counts.removed)
    announcements.set(at, orThrow(await announceRemovals(data.operations)()))
  }
  for (let at = 0; at < days; at += 1) {
    if (at > 0) movedBy += day * 1_000
    if (!runs(at)) continue
    const coming = clients.filter(({ born, number }) => born <= at && !stored.has(number))
    const brought = coming.filter(({ kind }) => kind.startsWith('import'))
    await sweeping(at)
    await registering(coming.filter((each) => !brought.includes(each)))
    if (brought.length > 0) await importing(brought)
    if (isOpen(at)) await using(at)
  }
  await data.store.close()
  const candidates = [...removed]
    .filter(([, at]) => at > days - 28)
    .map(([number]) => credentials.get(number))
    .slice(0, 20)
  await restored(config, directory, candidates)
  rmSync(directory, { recursive: true })
  const seconds = ((performance.now() - began) / 1_000).toFixed(0)
  const inUse = clients.filter(({ lastUse, number }) => lastUse !== undefined && stored.has(number)).length
  console.log(
    `${name}: ${stored.size} clients, ${inUse} in use (${counts.uses} uses, ${counts.unseen} of them not recorded), ` +
      `${counts.parked} times parked, ${counts.removed} removed, each announced and never used; ${candidates.length} of them restored whole; ${seconds} s`,
  )
  return counts
}

/** Those that were removed in the last four weeks come back by HTTP, with their secrets and registration access tokens. */
const restored = async (config, directory, candidates) => {
  const { url: base, stop } = await started(config)
  const master = readFileSync(join(directory, 'master-token'), 'utf8').trim()
  const ask = async (path, token, method = 'GET') => {
    const response = await fetch(`${base}${path}`, { method, headers: { Authorization: `Bearer ${token}` } })
    return { status: response.status, body: await response.json().catch(() => undefined) }
  }
  for (const { client_id, secret, token } of candidates) {
    assert.equal((await ask(`/clients/${client_id}`, token)).status, 401)
    assert.equal((await ask(`/manage/v1/clients/${client_id}/restoration`, master, 'POST')).status, 200)
    const { status, body } = await ask(`/clients/${client_id}`, token)
    assert.equal(status, 200)
    assert.equal(body.client_secret, secret)
    assert.equal((await ask(`/manage/v1/clients/${client_id}/restoration`, master, 'POST')).status, 404)
    if (config.engine === 'none') continue
    const authenticated = async (password) => {
      const headers = { Authorization: `Basic ${Buffer.from(`${client_id}:${password}`).toString('base64')}` }
      const headersOfForm = { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' }
      return (await fetch(`${base}/revoke`, { method: 'POST', headers: headersOfForm, body: 'token=unknown' })).status
    }
    assert.equal(await authenticated(secret), 200)
    assert.equal(await authenticated(`${secret}x`), 401)
  }
  await stop()
}

for (const [name, world] of Object.entries(worlds)) {
  const { removed } = await lead(name, world)
  assert.equal(
    removed > 0,
    name !== 'engine none, clients are only read',
    'unused clients are removed where uses are seen',
  )
}
