// A change that the database committed and whose answer was lost, followed by another one at another instance: it is made
// once, is never made again over the later one, and is answered as it was made.
import { newDatabase } from '../../../adapters-postgresql/test/support/new-database.js'
import { postgresqlSuite } from '../../../adapters-postgresql/test/support/postgresql-suite.js'
import { startProxy } from '../../../adapters-postgresql/test/support/proxy.js'
import { query } from '../../../adapters-postgresql/test/support/query.js'
import type { Server } from '../../../adapters-postgresql/test/support/server.js'
import { createHash } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { type Answer, type Sent, redirect_uris, send } from '../support/requests.js'
import { masterToken, start } from './postgresql-service.js'
import { soon } from './workers-process.js'

const lost = postgresqlSuite('a change whose answer was lost')

type Asked = (path: string, sent?: Sent) => Promise<Answer>

type Instances = {
  /** At the instance that loses answers. */
  readonly one: Asked
  readonly other: Asked
  readonly url: string
  /**
   * Sends the request at one instance, whose answers are lost from the commit of the change of this client; what follows runs
   * when the change is in the database.
   */
  readonly loses: (client: string, path: string, sent: Sent, followed: () => Promise<void>) => Promise<Answer>
}

/** What the transaction of a change of the client begins with: the number of its lock. */
const lockOf = (client: string): string =>
  String(createHash('sha256').update(`client ${client}`).digest().readBigInt64BE())

const at =
  (service: Service): Asked =>
  (path, sent = {}) =>
    send({ base: service.url }, path, { token: masterToken, ...sent })

const withInstances =
  (test: (instances: Instances) => Promise<void>, flags: Readonly<Record<string, string>> = {}) =>
  async (server: Server): Promise<void> => {
    const url = await newDatabase(server)
    const proxy = await startProxy(url)
    const services = await Promise.all([start(proxy.url, flags), start(url, flags)])
    const [one, other] = services.map(at)
    assert.ok(one && other)
    const changes = async (): Promise<number> => (await query(url, 'SELECT 1 FROM audit_rows')).length
    const loses: Instances['loses'] = async (client, path, sent, followed) => {
      const before = await changes()
      const cuts = proxy.cuts()
      proxy.cutAt('commit', 'mute', lockOf(client))
      const answer = one(path, sent)
      await soon(async () => (await changes()) > before, 'the change is committed')
      assert.is(proxy.cuts(), cuts + 1)
      await followed()
      proxy.endMute()
      return answer
    }
    try {
      await test({ one, other, url, loses })
    } finally {
      for (const { stop } of services) await stop()
      await proxy.close()
    }
  }

const named = (client_name: string) => ({ redirect_uris, client_name })

const idOf = ({ json }: Answer): string => String(json['client_id'])
const pathOf = (answer: Answer): string => `/clients/${idOf(answer)}`
const tokenOf = ({ json }: Answer): string => String(json['registration_access_token'])

const rowsOf = async (url: string, client: Answer): Promise<ReadonlyArray<string>> => {
  const rows = await query(url, 'SELECT entry FROM audit_rows WHERE client_id = $1 ORDER BY ordinal', [idOf(client)])
  return rows.map(({ entry }) => (JSON.parse(String(entry)) as { readonly action: string }).action)
}

const registered = async (asked: Asked): Promise<Answer> => {
  const answer = await asked('/clients', { method: 'POST', json: named('first') })
  assert.is(answer.status, 200)
  return answer
}

const expectUpdated = (answer: Answer, name: string): void =>
  assert.equal([answer.status, answer.json['client_name']], [200, name])

const by: Readonly<Record<string, (client: Answer) => Sent>> = {
  'the operator': () => ({}),
  'the operator with If-Match': ({ headers }) => ({ headers: { 'if-match': headers.get('etag') ?? '' } }),
  'the client': (client) => ({ token: tokenOf(client) }),
}

for (const [who, credentialOf] of Object.entries(by))
  lost(
    `an update by ${who} is answered as done, and does not come back over a later one`,
    withInstances(async ({ one, other, url, loses }) => {
      const client = await registered(one)
      const sent = { method: 'PUT', json: named('A'), ...credentialOf(client) }
      const between: Array<Answer> = []
      const answer = await loses(idOf(client), pathOf(client), sent, async () => {
        between.push(await other(pathOf(client), { method: 'PUT', json: named('B') }))
      })
      const [later] = between
      assert.ok(later)
      expectUpdated(later, 'B')
      expectUpdated(answer, 'A')
      expectUpdated(await one(pathOf(client), { token: tokenOf(later) }), 'B')
      assert.equal(await rowsOf(url, client), ['client_registered', 'client_updated', 'client_updated'])
    }),
  )

lost(
  'a suspension is answered as done, and does not come back over a later resumption',
  withInstances(async ({ one, other, url, loses }) => {
    const client = await registered(one)
    const path = `/clients/${idOf(client)}/suspension`
    const answer = await loses(idOf(client), path, { method: 'POST' }, async () => {
      assert.is((await other(path, { method: 'DELETE' })).json['unchanged'], false)
    })
    assert.equal([answer.status, answer.json['unchanged']], [200, false])
    assert.is((await one(pathOf(client), { token: tokenOf(client) })).status, 200)
    assert.equal(await rowsOf(url, client), ['client_registered', 'client_suspended', 'client_resumed'])
  }),
)

lost(
  'a removal is answered as done, and does not remove a later client of the same id',
  withInstances(async ({ one, other, url, loses }) => {
    const json = { ...named('first'), preferred_client_id: 'chosen-by-the-operator' }
    const client = await one('/clients', { method: 'POST', json })
    const answer = await loses(idOf(client), pathOf(client), { method: 'DELETE' }, async () => {
      assert.is((await other('/clients', { method: 'POST', json: { ...json, client_name: 'second' } })).status, 200)
    })
    assert.is(answer.status, 204)
    expectUpdated(await one(pathOf(client)), 'second')
    const [first, second, third] = await rowsOf(url, client)
    assert.equal([first, second, third], ['client_registered', 'client_deleted', 'client_registered'])
  }),
)

const limited = { 'registration-policy-json': '{"maximum_clients": 100}' }

for (const [limits, flags] of [
  ['without limits', {}],
  ['within limits', limited],
] as const)
  lost(
    `a registration ${limits} is answered as done, although the client was removed meanwhile`,
    withInstances(async ({ one, other, url, loses }) => {
      const { json: issued } = await one('/direct-authz', { method: 'POST', json: { scope: 'client-reg' } })
      for (const token of [masterToken, String(issued['access_token'])]) {
        const id = `chosen-by-${token === masterToken ? 'the-operator' : 'its-token'}`
        const json = { ...named('first'), preferred_client_id: id }
        const answer = await loses(id, '/clients', { method: 'POST', json, token }, async () => {
          assert.is((await other(`/clients/${id}`, { method: 'DELETE' })).status, 204)
        })
        assert.equal([answer.status, answer.json['client_id']], [200, id])
        assert.is((await other(`/clients/${id}`)).status, 404)
        assert.equal(await rowsOf(url, answer), ['client_registered', 'client_deleted'])
      }
    }, flags),
  )

lost(
  'an import is answered as done, although a client was changed meanwhile',
  withInstances(async ({ other, url, loses }) => {
    const body = { replace: false, clients: [{ client_id: 'imported-client-00001', metadata: named('imported') }] }
    const answer = await loses(
      'imported-client-00001',
      '/imported-clients',
      { method: 'POST', json: body },
      async () => {
        const path = '/clients/imported-client-00001'
        expectUpdated(await other(path, { method: 'PUT', json: named('B') }), 'B')
      },
    )
    assert.is(answer.status, 200)
    assert.match(answer.text, '"outcome":"added"')
    const client = await other('/clients/imported-client-00001')
    expectUpdated(client, 'B')
    assert.equal(await rowsOf(url, client), ['client_imported', 'client_updated', 'client_credentials_read'])
  }),
)

lost.run()
