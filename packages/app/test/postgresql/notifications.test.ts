// A thousand logout notifications by three processes on one database, which may be killed.
import { newDatabase } from '../../../adapters-postgresql/test/support/new-database.js'
import { postgresqlSuite } from '../../../adapters-postgresql/test/support/postgresql-suite.js'
import type { Server } from '../../../adapters-postgresql/test/support/server.js'
import { decodeJwt } from 'jose'
import { setTimeout as pause } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { type Instance, startInstance } from '../endure/instances.js'
import { bundledProgram } from '../support/bundled-program.js'
import { type Receiver, startReceiver, tokensOf, until } from '../support/receivers.js'
import { send } from '../support/requests.js'
import { serveBy } from '../support/service.js'
import { type SignedIn, registerNotified, signIn } from '../support/sessions.js'
import { masterToken } from './postgresql-service.js'

const tests = postgresqlSuite('logout notifications by three processes')

serveBy(bundledProgram('service-with-receivers'))

// A receiver gets one notification at a time, so that a kill repeats at most one for each.
const receiversCount = 3
const sessionsCount = 334
const kills = 3

type World = {
  readonly instances: ReadonlyArray<Instance>
  readonly receivers: ReadonlyArray<Receiver>
  readonly sessions: ReadonlyArray<SignedIn>
}

const inTurns = <Item>(items: ReadonlyArray<Item>, index: number): Item => {
  const item = items[index % items.length]
  if (item === undefined) throw new Error('there is none')
  return item
}

const lines = 6

/** The results in no order; several run at a time. */
const inLines = async <Result>(
  count: number,
  run: (index: number) => Promise<Result>,
): Promise<ReadonlyArray<Result>> => {
  const results: Array<Result> = []
  const line = async (first: number): Promise<void> => {
    for (let index = first; index < count; index += lines) results.push(await run(index))
  }
  await Promise.all(Array.from({ length: lines }, (_, first) => line(first)))
  return results
}

const baseOf = ({ port }: Instance): string => `http://127.0.0.1:${port}`

const start = async (server: Server): Promise<World> => {
  const url = await newDatabase(server)
  const settings = { 'outbound-fetches': 'true', 'signing-algorithms': 'ES256' }
  const starts = Array.from({ length: 3 }, () => startInstance(url, 'http://127.0.0.1:8080', settings))
  const instances = await Promise.all(starts)
  const receivers = await Promise.all(Array.from({ length: receiversCount }, () => startReceiver()))
  const provider = { base: baseOf(inTurns(instances, 0)), master: masterToken }
  const clients: Array<string> = []
  for (const { uri } of receivers)
    clients.push(await registerNotified(provider, uri, { id_token_signed_response_alg: 'ES256' }))
  const signInAt = async (instance: Instance, sub: string): Promise<SignedIn> =>
    signIn({ ...provider, base: baseOf(instance) }, sub, clients)
  const sessions = await inLines(sessionsCount, (index) => signInAt(inTurns(instances, index), `user-${index}`))
  return { instances, receivers, sessions }
}

/** Ends the session at an instance that answers: after a kill, it may have ended before. */
const end = async (instances: ReadonlyArray<Instance>, session: SignedIn, index: number): Promise<void> => {
  const sent = { method: 'DELETE', token: masterToken }
  const base = baseOf(inTurns(instances, index))
  const answer = await send({ base }, `/sessions/${session.sid}`, sent).catch(() => undefined)
  if (answer?.status === 204 || answer?.status === 404) return
  await pause(20)
  await end(instances, session, index + 1)
}

const endAll = async ({ instances, sessions }: World): Promise<void> => {
  await inLines(sessions.length, (index) => end(instances, inTurns(sessions, index), index))
}

const isDelivered = async ({ instances }: World): Promise<boolean> => {
  const base = baseOf(inTurns(instances, 0))
  const { status, text } = await send({ base }, '/logouts', { token: masterToken })
  return status === 200 && JSON.parse(text).notices.length === 0
}

/** How often each session of each application was reported as ended. */
const reports = ({ receivers }: World): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const token of receivers.flatMap(tokensOf)) {
    const { aud, sid } = decodeJwt(token)
    const name = `${String(aud)} ${String(sid)}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

const expected = ({ sessions }: World): ReadonlyArray<string> =>
  sessions.flatMap(({ names }) => [...names].map(([client, { sid }]) => `${client} ${String(sid)}`))

const killSome = async ({ instances }: World): Promise<void> => {
  for (let count = 0; count < kills; count += 1) {
    await pause(300 + Math.random() * 700)
    await inTurns(instances, Math.floor(Math.random() * 3)).kill()
  }
}

const stop = async ({ instances, receivers }: World): Promise<void> => {
  for (const each of [...instances, ...receivers]) await each.stop()
}

/** The notifications that were delivered more than once; all were delivered. */
const repeated = async (world: World): Promise<number> => {
  await until(() => isDelivered(world).catch(() => false), 120_000, 200)
  const counts = reports(world)
  assert.equal(new Set(counts.keys()), new Set(expected(world)))
  assert.ok(counts.size >= 1_000)
  return [...counts.values()].filter((count) => count > 1).length
}

tests('each is delivered, at most one in a hundred twice, while processes are killed', async (server) => {
  const world = await start(server)
  try {
    await Promise.all([endAll(world), killSome(world)])
    const twice = await repeated(world)
    assert.ok(twice <= 10, `${twice} were delivered twice`)
  } finally {
    await stop(world)
  }
})

tests('each is delivered once while no process is killed', async (server) => {
  const world = await start(server)
  try {
    await endAll(world)
    assert.is(await repeated(world), 0)
  } finally {
    await stop(world)
  }
})

tests.run()
