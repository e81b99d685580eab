// Names that no server answers, concurrent with valid registrations and receivers: on the composed service, with real
// lookups.
import { randomBytes } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startNameServer, type NameServer } from '../../../adapters-outbound/test/support/name-server.js'
import type { Service } from '../../src/compose.js'
import { post, started } from '../cli/run.js'
import { type Receiver, reachReceivers, startReceiver, tokensOf, until } from '../support/receivers.js'
import { send } from '../support/requests.js'
import { discard, newDataDir } from '../support/service.js'
import { registerNotified, signIn, signOut } from '../support/sessions.js'

type World = { names: NameServer; valid: Receiver; service: Service; master: string; dataDir: string }

const slow = suite<World>('slow names')

const redirect_uris = ['https://rp.example/callback', 'https://two.example/callback']

slow.before.each(async (world) => {
  world.names = await startNameServer({ 'sector.example': ['127.0.0.1'] })
  world.valid = await startReceiver((response) => void response.end(JSON.stringify(redirect_uris)))
  world.master = randomBytes(32).toString('hex')
  world.dataDir = newDataDir()
  const flags = {
    'data-dir': world.dataDir,
    'master-token': world.master,
    'signing-algorithms': 'ES256',
    'allow-open-registration': 'true',
    'outbound-fetches': 'true',
    'outbound-allowed-networks': '127.0.0.0/8',
  }
  world.service = await started(flags, { outbound: { ca: reachReceivers.ca, servers: world.names.servers } })
})
slow.after.each(async ({ names, valid, service, dataDir }) => {
  await service.stop()
  await Promise.all([valid.stop(), names.stop()])
  discard(dataDir)
})

type Registered = { readonly status: number; readonly retryAfter: string | null }

/** Registers with the sector identifier URI, with the token or without one. */
const register = async ({ service }: World, token: string, uri: string): Promise<Registered> => {
  const body = { redirect_uris, subject_type: 'pairwise', sector_identifier_uri: uri }
  const response = await post(`${service.baseUrl}/clients`, token, body)
  await response.arrayBuffer()
  return { status: response.status, retryAfter: response.headers.get('retry-after') }
}

const issueToken = async ({ service, master }: World): Promise<string> => {
  const response = await post(`${service.baseUrl}/direct-authz`, master, { scope: 'client-reg' })
  return String(Object(await response.json()).access_token)
}

/**
 * Runs the operation during registrations with names that no server answers, a dozen at a time; returns their answers.
 */
const besideFlood = async (
  world: World,
  token: string,
  work: () => Promise<void>,
): Promise<ReadonlyArray<Registered>> => {
  const answers: Array<Registered> = []
  const underWay: { isOver: boolean } = { isOver: false }
  const again = async (lane: number): Promise<void> => {
    if (underWay.isOver) return
    answers.push(await register(world, token, `https://a${lane}-${answers.length}.slow.example/sector.json`))
    await again(lane)
  }
  const concurrency = Promise.all(Array.from({ length: 12 }, (_, lane) => again(lane)))
  try {
    await work()
  } finally {
    underWay.isOver = true
    await concurrency
  }
  return answers
}

const notificationsOf = async ({ service, master }: World): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> =>
  JSON.parse((await send({ base: service.baseUrl }, '/logouts', { token: master })).text).notices

const rounds = 3

/** Valid registrations and a valid receiver, beside a receiver whose name no server answers. */
const registerAndSignOut = async (world: World): Promise<void> => {
  const { service, master, valid, names } = world
  const provider = { base: service.baseUrl, master }
  const es256 = { id_token_signed_response_alg: 'ES256' }
  const validClient = await registerNotified(provider, valid.uri, es256)
  const slowClient = await registerNotified(provider, 'https://away.slow.example/logout', es256)
  await until(() => names.requested.filter((name) => name.endsWith('.slow.example')).length >= 8)
  for (let round = 1; round <= rounds; round += 1) {
    const uri = valid.uri.replace('/logout', '/sector.json')
    for (const token of [await issueToken(world), master])
      assert.equal(await register(world, token, uri), { status: 200, retryAfter: null })
    await signOut(provider, await signIn(provider, `user-${round}`, [slowClient, validClient]))
    await until(() => tokensOf(valid).length === round)
  }
  await until(async () => (await notificationsOf(world)).every(({ note }) => note !== ''))
  const notifications = await notificationsOf(world)
  assert.is(notifications.length, rounds)
  for (const { client_id, state, attempts, note } of notifications) {
    assert.equal([client_id, state, attempts], [slowClient, 'waits', 0])
    assert.match(String(note), /^not sent: (ETIMEOUT|no address within 5000 ms)$/)
  }
}

slow('they delay no other registrant and no receiver, and cause no failure for others', async (world) => {
  const token = await issueToken(world)
  const byToken = besideFlood(world, token, async () => {
    const byAnonymous = await besideFlood(world, '', () => registerAndSignOut(world))
    assert.equal(
      new Set(byAnonymous.map(({ status, retryAfter }) => `${status} ${retryAfter ?? ''}`)),
      new Set(['503 1']),
    )
  })
  const statuses = (await byToken).map(({ status, retryAfter }) => `${status} ${retryAfter ?? ''}`)
  assert.equal(new Set(statuses), new Set(['503 1']))
})

slow('300 registrations at once are made, or told to come again, and none is refused', async (world) => {
  const uri = world.valid.uri.replace('/logout', '/sector.json')
  const answers = await Promise.all(Array.from({ length: 300 }, () => register(world, world.master, uri)))
  const made = answers.filter(({ status }) => status === 200)
  assert.ok(made.length >= 36, `${made.length} were made`)
  for (const answer of answers) if (answer.status !== 200) assert.equal(answer, { status: 503, retryAfter: '1' })
})

slow('what the name servers say decides whose fault it is', async (world) => {
  assert.is((await register(world, world.master, 'https://away.slow.example/')).status, 503)
  const refused = ['https://none.invalid/', 'https://10.0.0.5/', 'https://sector.example:1024/']
  for (const uri of refused) assert.is((await register(world, world.master, uri)).status, 400, uri)
})

slow.run()
