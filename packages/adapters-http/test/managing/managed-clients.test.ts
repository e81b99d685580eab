import { inMemoryPorts } from '@clientele/adapters-memory/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createManagementHandler, createPublicHandler, settingsWithDefaults } from '../../src/fetch.js'

const Managing = suite('/manage/v1/clients')

const base = 'https://op.example'
const master = 'the-master-token-of-this-test-0123456789'

type Members = Readonly<Record<string, unknown>>
type Answer = { readonly status: number; readonly json: Members; readonly tag: string | null }
type Sent = { readonly token?: string; readonly type?: string; readonly ifMatch?: string | null }

const createWorld = (more: object = {}, registration: object = {}) => {
  const ports = inMemoryPorts({ renderPage: ({ kind }) => ({ html: kind, styleHash: 'sha256-' }) })
  const usual = settingsWithDefaults(base, ports.service.hashToken(master))
  const settings = { ...usual, ...more, registration: { ...usual.registration, ...registration } }
  const open = createPublicHandler(settings, ports, { withOperators: false })
  const managed = createManagementHandler(settings, ports)
  const asking =
    (handler: typeof managed) =>
    async (method: string, path: string, body?: object, sent: Sent = {}): Promise<Answer> => {
      const { token = master, type = 'application/json', ifMatch } = sent
      const response = await handler(
        new Request(`${base}${path}`, {
          method,
          headers: {
            Authorization: `Bearer ${token}`,
            'Content-Type': type,
            ...(typeof ifMatch === 'string' ? { 'If-Match': ifMatch } : {}),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      )
      const text = await response.text()
      const json = Object.fromEntries(Object.entries(text === '' ? {} : JSON.parse(text)))
      return { status: response.status, json, tag: response.headers.get('ETag') }
    }
  const ask = asking(managed)
  const askPublic = asking(open)
  const register = async (client_name: string): Promise<Members> => {
    const answer = await askPublic('POST', '/clients', { client_name, redirect_uris: ['https://rp.example/cb'] })
    return answer.json
  }
  return { ask, askPublic, register }
}

const clientsOf = ({ json }: Answer): ReadonlyArray<Members> => json['clients'] as ReadonlyArray<Members>
const namesOf = (answer: Answer): ReadonlyArray<unknown> => clientsOf(answer).map((client) => client['client_name'])

Managing('pages go on with next, and show no credentials', async () => {
  const { ask, register } = createWorld()
  const registered = [await register('One'), await register('Two'), await register('Three')]
  const first = await ask('GET', '/manage/v1/clients?limit=2')
  assert.equal(namesOf(first), ['One', 'Two'])
  const second = await ask('GET', `/manage/v1/clients?limit=2&after=${String(first.json['next'])}`)
  assert.equal(namesOf(second), ['Three'])
  assert.is(second.json['next'], undefined)
  const text = JSON.stringify([first, second])
  for (const client of registered)
    for (const name of ['client_secret', 'registration_access_token'])
      assert.not.ok(text.includes(String(client[name])))
  assert.equal(clientsOf(await ask('GET', '/manage/v1/clients?q=THR&fields=client_name,origin')), [
    { client_id: registered[2]?.['client_id'], client_name: 'Three', origin: 'operator' },
  ])
})

Managing('a query with an unknown parameter is refused by its name', async () => {
  const { ask, askPublic } = createWorld()
  const refused = await ask('GET', '/manage/v1/clients?stat=idle')
  assert.is(refused.status, 400)
  assert.match(String(refused.json['error_description']), /stat is unknown: known are q, /)
  assert.is((await askPublic('GET', '/clients')).status, 200)
  const list = await askPublic('GET', '/clients?state=idle')
  assert.is(list.status, 400)
  assert.match(String(list.json['error_description']), 'state is unknown')
})

Managing('a client is described, and its credentials are a request of their own', async () => {
  const { ask, register } = createWorld()
  const { client_id, client_secret, registration_access_token } = await register('One')
  const path = `/manage/v1/clients/${String(client_id)}`
  const described = await ask('GET', path)
  assert.is(described.json['state'], 'unused')
  assert.is(described.json['client_secret'], undefined)
  const secrets = await ask('GET', `${path}/secrets`)
  assert.equal(
    [secrets.json['client_secret'], secrets.json['registration_access_token']],
    [client_secret, registration_access_token],
  )
  assert.is((await ask('DELETE', path)).status, 204)
  for (const gone of [path, `${path}/secrets`]) assert.is((await ask('GET', gone)).status, 404)
  assert.is((await ask('DELETE', path)).status, 404)
})

Managing('no request for an earlier life of a client_id changes a later one (RFC 9110 §13.1.1)', async () => {
  const { ask, askPublic, register } = createWorld()
  const { client_id, client_id_issued_at } = await register('First life')
  const first = await ask('GET', `/manage/v1/clients/${String(client_id)}`)
  assert.is(first.tag, first.json['entity_tag'])
  await ask('DELETE', `/manage/v1/clients/${String(client_id)}`)
  const metadata = { client_name: 'Second life', redirect_uris: ['https://rp.example/cb'] }
  const record = { client_id, client_id_issued_at, metadata }
  const imported = await ask('POST', '/imported-clients', { replace: false, clients: [record] })
  assert.is(imported.status, 200)
  const path = `/clients/${String(client_id)}`
  const late = await askPublic('PUT', path, { ...metadata, client_name: 'Late' }, { ifMatch: first.tag })
  assert.is(late.status, 412)
  const second = await askPublic('GET', path)
  assert.equal([second.json['client_id_issued_at'], second.json['client_name']], [client_id_issued_at, 'Second life'])
  assert.is((await askPublic('PUT', path, metadata, { ifMatch: second.tag })).status, 200)
})

Managing('an import judges the client_secret that the client will have (RFC 7518 §3.2)', async () => {
  const { ask } = createWorld()
  const redirect_uris = ['https://rp.example/cb']
  const imported = async (client_id: string, metadata: object, more: object = {}): Promise<string> => {
    const clients = [{ client_id, metadata: { redirect_uris, ...metadata }, ...more }]
    return JSON.stringify((await ask('POST', '/imported-clients', { replace: true, clients })).json)
  }
  const signing = (alg: string) => ({
    token_endpoint_auth_method: 'client_secret_jwt',
    token_endpoint_auth_signing_alg: alg,
  })
  assert.match(await imported('short', {}, { client_secret: 'short' }), '"outcome":"added"')
  assert.match(await imported('short', signing('HS256')), '"rule":"secret-length"')
  assert.match(await imported('long', {}, { client_secret: 'x'.repeat(64) }), '"outcome":"added"')
  assert.match(await imported('long', signing('HS512')), '"outcome":"replaced"')
})

Managing('what an operator does to a version that is no more is refused (RFC 9110 §13.1.1)', async () => {
  const { ask, register } = createWorld()
  const { client_id } = await register('One')
  const path = `/manage/v1/clients/${String(client_id)}`
  const requests: ReadonlyArray<readonly [string, string]> = [
    ['DELETE', path],
    ['POST', `/clients/${String(client_id)}/suspension`],
    ['DELETE', `/clients/${String(client_id)}/suspension`],
    ['POST', `/clients/${String(client_id)}/renewal`],
  ]
  const before = await ask('GET', path)
  const patch = { client_name: 'Another operator was here' }
  await ask('PATCH', path, patch, { type: 'application/merge-patch+json', ifMatch: before.tag })
  const present = await ask('GET', path)
  for (const [method, each] of requests) {
    const refused = await ask(method, each, undefined, { ifMatch: before.tag })
    assert.equal([refused.status, refused.json['error']], [412, 'precondition_failed'], `${method} ${each}`)
    assert.equal((await ask('GET', path)).json, present.json, 'nothing has changed')
  }
  // Another version follows each change.
  for (const [method, each] of requests.slice(1)) {
    const { tag } = await ask('GET', path)
    assert.is((await ask(method, each, undefined, { ifMatch: tag })).status, 200, `${method} ${each}`)
  }
  assert.is((await ask('DELETE', path, undefined, { ifMatch: (await ask('GET', path)).tag })).status, 204)
  assert.is((await ask('DELETE', path, undefined, { ifMatch: '*' })).status, 404)
})

Managing('where changes must name a version, so must a removal (RFC 6585 §3)', async () => {
  const { ask, register } = createWorld({}, { requiresIfMatch: true })
  const paths = [await register('One'), await register('Two')].map(
    ({ client_id }) => `/manage/v1/clients/${String(client_id)}`,
  )
  const [one = '', two = ''] = paths
  const unnamed = await ask('DELETE', one)
  assert.equal([unnamed.status, unnamed.json['error']], [428, 'precondition_required'])
  assert.is((await ask('GET', one)).status, 200)
  assert.is((await ask('DELETE', one, undefined, { ifMatch: (await ask('GET', one)).tag })).status, 204)
  assert.is((await ask('DELETE', two, undefined, { ifMatch: '*' })).status, 204)
  assert.is((await ask('DELETE', two)).status, 404)
})

Managing('a change of many clients is counted, confirmed and made in batches', async () => {
  const { ask, register } = createWorld()
  for (let number = 0; number < 250; number += 1) await register(`Bulk ${number}`)
  await register('Other')
  const filter = { q: 'bulk' }
  const change = (name: string, body: object): Promise<Answer> => ask('POST', `/manage/v1/clients/${name}`, body)
  assert.equal((await change('suspension', { filter, dry_run: true })).json, { count: 250 })
  const refused = await change('suspension', { filter, count: 249 })
  assert.is(refused.status, 409)
  assert.is(refused.json['count'], 250)
  const first = await change('suspension', { filter, count: 250 })
  assert.is(first.json['changed'], 200)
  // Later clients are not changed, and a batch that is repeated changes nothing more.
  await register('Bulk, later')
  const { next } = first.json
  assert.equal((await change('suspension', { filter, next })).json, { changed: 50, unchanged: 0 })
  assert.equal((await change('suspension', { filter, next })).json, { changed: 0, unchanged: 50 })
  const suspended = { state: 'suspended' }
  assert.equal((await change('removal', { filter: suspended, dry_run: true })).json, { count: 250 })
  assert.is((await change('resumption', { filter: { q: 'bulk 1' }, count: 111 })).json['changed'], 111)
  assert.is((await change('removal', { filter: suspended, count: 139 })).json['changed'], 139)
  assert.equal((await change('removal', { filter, dry_run: true })).json, { count: 112 })
})

Managing('no change of many clients goes on that nobody confirmed', async () => {
  const { ask, register } = createWorld()
  for (let number = 0; number < 201; number += 1) await register(`Bulk ${number}`)
  const filter = { q: 'bulk' }
  const change = (name: string, body: object): Promise<Answer> => ask('POST', `/manage/v1/clients/${name}`, body)
  for (const next of ['b1-0-zzzzz', 'b2-5l-0-zzzzz-', `b2-5l-0-zzzzz-${'A'.repeat(43)}`]) {
    const made = await change('removal', { filter, next })
    assert.is(made.status, 400)
    assert.match(String(made.json['error_description']), 'next must be that of the answer before')
  }
  const { next } = (await change('suspension', { filter, count: 201 })).json
  for (const [action, chosen] of [
    ['removal', filter],
    ['resumption', filter],
    ['suspension', { q: 'bul' }],
    ['suspension', { ...filter, registered_by: 'master' }],
  ] as const)
    assert.is((await change(action, { filter: chosen, next })).status, 400, action)
  assert.equal((await change('removal', { filter, dry_run: true })).json, { count: 201 })
  assert.equal((await change('suspension', { filter: { state: 'suspended' }, dry_run: true })).json, { count: 200 })
  assert.equal((await change('suspension', { filter, next })).json, { changed: 1, unchanged: 0 })
})

Managing('the public port may leave the list of all clients to the management port', async () => {
  const { ask, askPublic } = createWorld({ listsClientsPublicly: false })
  assert.is((await askPublic('GET', '/clients')).status, 405)
  assert.is((await ask('GET', '/clients')).status, 200)
})

Managing.run()
