import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Service, discard, launch, newDataDir, startService } from '../support/service.js'

const Reload = suite('reload')

const masterOf = (text: string): string => text.padEnd(43, '-')

const statusOf = async ({ base }: Service, token: string): Promise<number> =>
  (await fetch(`${base}/initial-access-tokens`, { headers: { Authorization: `Bearer ${token}` } })).status

const register = async ({ base }: Service, token: string, client_name: string): Promise<number> => {
  const answer = await fetch(`${base}/clients`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ redirect_uris: ['https://rp.example/cb'], client_name }),
  })
  await answer.arrayBuffer()
  return answer.status
}

const entries = ({ output }: Service): number => output().stderr.split('"msg":"the settings were ').length - 1

/** Waits until the service has logged the outcome of a reload. */
const reloaded = async (service: Service, act: () => unknown): Promise<string> => {
  const before = entries(service)
  act()
  const deadline = Date.now() + 10_000
  while (entries(service) === before && Date.now() < deadline) await setTimeout(10)
  return (
    service
      .output()
      .stderr.trim()
      .split('\n')
      .filter((line) => line.includes('the settings were '))
      .at(-1) ?? ''
  )
}

const signal =
  ({ child }: Service) =>
  (): void =>
    void child.kill('SIGHUP')

const command = async (...args: ReadonlyArray<string>) => {
  const { exited, output } = launch(args, {})
  return { status: await exited, ...output() }
}

const writeSecret = (file: string, text: string): void => writeFileSync(file, `${text}\n`, { mode: 0o600 })

Reload('the master token is changed under load: no request is refused that has one of the two', async () => {
  const service = await startService()
  const { dataDir, master } = service
  const file = join(dataDir, 'master-token')
  const next = masterOf('the-next-master-token')
  const load = { over: false, statuses: new Set<number>(), count: 0, token: master }
  const callers = Array.from({ length: 4 }, async () => {
    while (!load.over) {
      load.statuses.add(await statusOf(service, load.token))
      load.count += 1
    }
  })
  copyFileSync(file, join(dataDir, 'previous-master-token'))
  writeSecret(file, next)
  assert.match(await reloaded(service, signal(service)), '"reloaded":["master-token"]')
  assert.equal([await statusOf(service, next), await statusOf(service, master)], [200, 200])
  load.token = next
  await setTimeout(50)
  rmSync(join(dataDir, 'previous-master-token'))
  assert.match((await command('reload', '--data-dir', dataDir)).stdout, 'Reloaded: master-token\n')
  assert.equal([await statusOf(service, next), await statusOf(service, master)], [200, 401])
  load.over = true
  await Promise.all(callers)
  assert.equal([[...load.statuses], load.count > 20], [[200], true])
  assert.is(await service.stop(), 0)
  discard(dataDir)
})

Reload('policy and theme are read again; what else has changed waits, and is named', async () => {
  const dataDir = newDataDir()
  const theme = newDataDir()
  const policy = join(dataDir, 'policy.json')
  const config = join(dataDir, 'config.json')
  const configure = (more: object): void =>
    writeFileSync(config, JSON.stringify({ 'registration-policy': policy, 'theme-dir': theme, ...more }))
  writeFileSync(policy, '{}')
  configure({})
  const service = await startService({}, dataDir, undefined, ['--config', config])
  const page = async (): Promise<string> => (await fetch(`${service.base}/logout`)).text()
  assert.is(await register(service, service.master, 'one'), 200)
  assert.not.match(await page(), 'rebeccapurple')
  writeFileSync(policy, JSON.stringify({ maximum_clients: 1 }))
  writeFileSync(join(theme, 'style.css'), 'body { color: rebeccapurple }')
  configure({ 'session-lifetime': 7200 })
  const outcome = await reloaded(service, signal(service))
  assert.match(outcome, '"reloaded":["registration-policy","theme-dir"],"waiting":["session-lifetime"]')
  assert.is(await register(service, service.master, 'two'), 403)
  assert.match(await page(), 'rebeccapurple')
  assert.is(await service.stop(), 0)
  for (const directory of [dataDir, theme]) discard(directory)
})

Reload('faulty settings are refused as a whole, and named; the service goes on with what was', async () => {
  const dataDir = newDataDir()
  const policy = join(dataDir, 'policy.json')
  writeFileSync(policy, '{}')
  const service = await startService({ CLIENTELE_REGISTRATION_POLICY: policy }, dataDir)
  const master = join(dataDir, 'master-token')
  const next = masterOf('the-next-master-token')
  writeSecret(master, next)
  writeFileSync(policy, '{ "maximum_clients": "many" }')
  const refused = await reloaded(service, signal(service))
  assert.match(refused, 'the settings were not reloaded: nothing has changed')
  assert.match(refused, 'maximum_clients')
  assert.equal([await statusOf(service, next), await statusOf(service, service.master)], [401, 200])
  const answer = await command('reload', '--data-dir', dataDir)
  assert.is(answer.status, 1)
  assert.match(answer.stderr, 'nothing was reloaded')
  assert.match(answer.stderr, 'maximum_clients')
  writeFileSync(policy, '{}')
  for (const bad of ['short', '']) {
    writeSecret(master, bad)
    assert.match(await reloaded(service, signal(service)), 'nothing has changed')
  }
  rmSync(master)
  assert.match(await reloaded(service, signal(service)), 'nothing has changed')
  assert.is(await statusOf(service, service.master), 200)
  assert.not.match(service.output().stderr, next)
  assert.is(await service.stop(), 0)
  discard(dataDir)
})

Reload('what needs a setting that waits for a restart is refused, and the setting is named', async () => {
  const dataDir = newDataDir()
  const config = join(dataDir, 'config.json')
  const policyFile = join(dataDir, 'policy.json')
  const configure = (fetches: boolean, policy: object): void => {
    writeFileSync(policyFile, JSON.stringify(policy))
    writeFileSync(config, JSON.stringify({ 'outbound-fetches': fetches, 'registration-policy': policyFile }))
  }
  configure(false, {})
  const service = await startService({ CLIENTELE_ENGINE: 'oidc-provider' }, dataDir, undefined, ['--config', config])
  configure(true, { metadata_documents: { accept: 'any' }, maximum_clients: 1 })
  const refused = await reloaded(service, signal(service))
  assert.match(refused, 'the settings were not reloaded: nothing has changed')
  assert.match(refused, 'registration-policy (until a restart takes over outbound-fetches) must not accept')
  configure(true, { maximum_clients: 1 })
  assert.match(
    await reloaded(service, signal(service)),
    '"reloaded":["registration-policy"],"waiting":["outbound-fetches"]',
  )
  assert.is(await service.stop(), 0)
  discard(dataDir)
})

Reload('without a running service, reload says what the next start does', async () => {
  const service = await startService()
  assert.is(await service.stop(), 0)
  const { status, stderr } = await command('reload', '--data-dir', service.dataDir)
  assert.is(status, 1)
  assert.match(stderr, 'the next start reads the settings')
  assert.ok(readFileSync(join(service.dataDir, 'master-token')).length > 0)
  discard(service.dataDir)
})

Reload('a signal and a command each have one row in the audit log, which names what changed', async () => {
  const service = await startService()
  const { dataDir, base, master } = service
  copyFileSync(join(dataDir, 'master-token'), join(dataDir, 'previous-master-token'))
  await reloaded(service, signal(service))
  assert.is((await command('reload', '--data-dir', dataDir)).status, 0)
  const deadline = Date.now() + 10_000
  const rows = async (): Promise<ReadonlyArray<string>> => {
    const answer = await fetch(`${base}/manage/v1/audit`, { headers: { Authorization: `Bearer ${master}` } })
    const listed = (await answer.json()) as {
      rows: ReadonlyArray<{
        entry: { action: string; members: unknown; actor: { kind: string }; origin: { door: string } }
      }>
    }
    return listed.rows
      .filter(({ entry }) => entry.action === 'settings_reloaded')
      .map(({ entry }) => `${entry.actor.kind} ${entry.origin.door} ${JSON.stringify(entry.members)}`)
  }
  while ((await rows()).length < 2 && Date.now() < deadline) await setTimeout(20)
  assert.equal([...(await rows())].sort(), ['store command ["master-token"]', 'store socket []'])
  await service.stop()
  discard(dataDir)
})

Reload.run()
