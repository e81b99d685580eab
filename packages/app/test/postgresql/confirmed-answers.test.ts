// A server that crashed while commits waited for its synchronous standby shows them, and loses them at a failover. A
// request that comes again meanwhile is not answered as done: PostgreSQL, "Synchronous Replication".
import { postgresqlSuite } from '../../../adapters-postgresql/test/support/postgresql-suite.js'
import { setTimeout } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { type Databases, startDatabases } from '../endure/databases.js'
import { type Answer, type Sent, redirect_uris, send } from '../support/requests.js'
import { masterToken, start } from './postgresql-service.js'

const tests = postgresqlSuite('a request that comes again before a failover')

type Ask = (path: string, sent?: Sent) => Promise<Answer>
type Scene = { readonly path: string; readonly sent: Sent }

const idOf = ({ json }: Answer): string => String(json['client_id'])

/** The answer without what is another one each time. */
const told = ({ status, json }: Answer): unknown => [status, json['unchanged'], json['error']]

const prepare = async (ask: Ask): Promise<Readonly<Record<string, Scene>>> => {
  const registered = (): Promise<Answer> => ask('/clients', { method: 'POST', json: { redirect_uris } })
  const suspended = await registered()
  const removed = await registered()
  const named = await registered()
  const listed = await registered()
  const { json: session } = await ask('/sessions', { method: 'POST', json: { sub: 'alice' } })
  const { json } = await ask('/keys')
  const [key] = json['keys'] as ReadonlyArray<{ readonly kid: string }>
  const keyed = { method: 'POST', json: { redirect_uris }, headers: { 'idempotency-key': '"the-key-of-this-request"' } }
  const ifMatch = { 'if-match': named.headers.get('etag') ?? '' }
  const imported = { replace: false, clients: [{ client_id: 'imported-client-00001', metadata: { redirect_uris } }] }
  return {
    'a registration with its key': { path: '/clients', sent: keyed },
    'a suspension': { path: `/clients/${idOf(suspended)}/suspension`, sent: { method: 'POST' } },
    'a removal': { path: `/clients/${idOf(removed)}`, sent: { method: 'DELETE' } },
    'a removal of a version': { path: `/clients/${idOf(named)}`, sent: { method: 'DELETE', headers: ifMatch } },
    'a removal of the list': { path: `/manage/v1/clients/${idOf(listed)}`, sent: { method: 'DELETE' } },
    'the end of a session': { path: `/sessions/${String(session['sid'])}`, sent: { method: 'DELETE' } },
    'an import': { path: '/imported-clients', sent: { method: 'POST', json: imported } },
    'the compromise of a key': { path: '/keys/compromise', sent: { method: 'POST', json: { kid: key?.kid } } },
  }
}

/** The server crashes while the requests wait for its standby, and is back without it. */
const crash = async (databases: Databases, waiting: () => Promise<void>): Promise<void> => {
  databases.cutReplication()
  const all = waiting()
  await setTimeout(1_500)
  await databases.current().stop('immediate')
  await databases.start()
  await all
}

tests.own('is not answered as done, and is done afterwards', async () => {
  const databases = await startDatabases(true)
  const service = await start(databases.url, { 'jwks-max-age': '5' })
  const ask: Ask = (path, sent = {}) => send({ base: service.url }, path, { token: masterToken, ...sent })
  try {
    const scenes = await prepare(ask)
    const answers = async (): Promise<Readonly<Record<string, unknown>>> =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(scenes).map(async ([name, { path, sent }]) => [name, told(await ask(path, sent))] as const),
        ),
      )
    const unavailable = Object.fromEntries(Object.keys(scenes).map((name) => [name, [503, undefined, undefined]]))
    await crash(databases, async () => assert.equal(await answers(), unavailable))
    assert.equal(await answers(), unavailable)
    await databases.failOver()
    const done = {
      'a registration with its key': [200, undefined, undefined],
      'a suspension': [200, false, undefined],
      'a removal': [204, undefined, undefined],
      'a removal of a version': [204, undefined, undefined],
      'a removal of the list': [204, undefined, undefined],
      'the end of a session': [204, undefined, undefined],
      'an import': [200, undefined, undefined],
      'the compromise of a key': [200, undefined, undefined],
    }
    assert.equal(await answers(), done)
    // Now it is done already, and durable.
    assert.equal(await answers(), {
      ...done,
      'a suspension': [200, true, undefined],
      'a removal': [404, undefined, undefined],
      'a removal of a version': [404, undefined, undefined],
      'a removal of the list': [404, undefined, undefined],
      'the end of a session': [404, undefined, undefined],
      'the compromise of a key': [404, undefined, 'unknown_kid'],
    })
  } finally {
    await service.stop()
    await databases.close()
  }
})

tests.run()
