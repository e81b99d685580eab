// Bodies of POST /clients as serializers, forms and older libraries write them, with and without the setting lenient.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Service, discard, startService } from '../support/composed-service.js'
import { type Answer, configurationOf, redirect_uris, register, send } from '../support/requests.js'

type Services = { open: Service; managed: Service; strict: Service }

const Lenient = suite<Services>('sloppy bodies')

Lenient.before(async (context) => {
  context.open = await startService({ CLIENTELE_ALLOW_OPEN_REGISTRATION: 'true' })
  context.managed = await startService()
  context.strict = await startService({ CLIENTELE_ALLOW_OPEN_REGISTRATION: 'true', CLIENTELE_LENIENT: 'off' })
})
Lenient.after(async ({ open, managed, strict }) => {
  for (const service of [open, managed, strict]) {
    await service.stop()
    discard(service.dataDir)
  }
})

const sloppy: ReadonlyArray<readonly [name: string, members: object, left: object]> = [
  ['null', { logo_uri: null, jwks: null, software_statement: null }, { logo_uri: undefined, jwks: undefined }],
  ['empty texts', { client_uri: '', client_name: '', application_type: '' }, { client_uri: undefined }],
  ['no grant types', { grant_types: [] }, { grant_types: ['authorization_code'] }],
  ['no response types', { response_types: [] }, { response_types: ['code'] }],
  ['a redirection URI twice', { redirect_uris: [...redirect_uris, ...redirect_uris] }, { redirect_uris }],
  ['a grant type twice', { grant_types: ['authorization_code', 'authorization_code'] }, {}],
]

const membersOf = (answer: Answer, left: object): object =>
  Object.fromEntries(Object.keys(left).map((name) => [name, answer.json[name]]))

const adjustmentsOf = (answer: Answer): ReadonlyArray<string> => {
  const { adjustments } = answer.json
  return Array.isArray(adjustments) ? adjustments.map(({ rule }) => String(rule)) : []
}

for (const [name, members, left] of sloppy)
  Lenient(`${name}: taken where registration is open, and refused elsewhere`, async ({ open, managed, strict }) => {
    const json = { redirect_uris, ...members }
    const answer = await send(open, '/clients', { method: 'POST', json })
    assert.is(answer.status, 200, answer.text)
    assert.equal(membersOf(answer, left), left)
    const dry = await send(open, '/clients?dry_run=true', { method: 'POST', json })
    assert.is(adjustmentsOf(dry).length, Object.keys(members).length)
    assert.ok(adjustmentsOf(dry).every((rule) => ['empty-left-out', 'repetition-left-out'].includes(rule)))
    assert.is((await register(managed, json)).status, 400)
    assert.is((await send(strict, '/clients', { method: 'POST', json })).status, 400)
  })

Lenient('the log names what was left out, by its remedy and not by its value', async ({ open }) => {
  const json = { redirect_uris, client_name: 'Sloppy', logo_uri: '' }
  const { json: client } = await send(open, '/clients', { method: 'POST', json })
  const line = open
    .output()
    .stderr.split('\n')
    .find((each) => each.includes(String(client['client_id'])) && each.includes('left out'))
  assert.match(line ?? '', 'logo_uri was left out, because it is null or empty')
})

const sendRaw = (service: Service, body: string, type: string): Promise<Answer> =>
  send(service, '/clients', { method: 'POST', token: service.master, body, headers: { 'content-type': type } })

Lenient('charset=utf8, which older libraries write', async ({ open, strict }) => {
  const body = JSON.stringify({ redirect_uris })
  for (const type of ['application/json; charset=utf8', 'application/json;charset="UTF8"']) {
    assert.is((await sendRaw(open, body, type)).status, 200)
    assert.is((await sendRaw(strict, body, type)).status, 400)
  }
  assert.is((await sendRaw(open, body, 'application/json; charset=latin1')).status, 400)
})

Lenient('charset=utf8 is told, by a dry run, in the log and with registration-warnings in the answer', async () => {
  const service = await startService({ CLIENTELE_LENIENT: 'on', CLIENTELE_REGISTRATION_WARNINGS: 'true' })
  const json = JSON.stringify({ redirect_uris, logo_uri: '' })
  const told = async (path: string, type: string): Promise<ReadonlyArray<unknown>> => {
    const headers = { 'content-type': type }
    const answer = await send(service, path, { method: 'POST', token: service.master, body: json, headers })
    const all = [answer.json['adjustments'], answer.json['warnings']].flat()
    return all.map((each) => (each as { readonly rule?: string } | undefined)?.rule)
  }
  try {
    const sloppyType = 'application/json; charset=utf8'
    assert.equal(await told('/clients?dry_run=true', sloppyType), ['charset-replaced', 'empty-left-out'])
    assert.equal(await told('/clients', sloppyType), [undefined, 'charset-replaced', 'empty-left-out'])
    assert.equal(await told('/clients', 'application/json; charset=utf-8'), [undefined, 'empty-left-out'])
    assert.match(service.output().stderr, 'Content-Type names the charset utf8')
  } finally {
    await service.stop()
    discard(service.dataDir)
  }
})

Lenient('empty lists of a client that is answered by no redirect say what they say', async ({ open, managed }) => {
  for (const service of [open, managed])
    for (const members of [
      { grant_types: [], response_types: [] },
      { grant_types: ['urn:ietf:params:oauth:grant-type:device_code'], response_types: [], redirect_uris: [] },
    ]) {
      const sent = { method: 'POST', token: service.master, json: { token_endpoint_auth_method: 'none', ...members } }
      const answer = await send(service, '/clients', sent)
      assert.is(answer.status, 200, answer.text)
      assert.equal(membersOf(answer, members), members)
      assert.equal(adjustmentsOf(await send(service, '/clients?dry_run=true', sent)), [])
    }
})

Lenient('a number that no reader keeps, in a member that is dropped', async ({ open, strict }) => {
  const withNumber = (member: string) => `{"redirect_uris":["https://rp.example/cb"],"${member}":12345678901234567890}`
  assert.is((await sendRaw(open, withNumber('snowflake'), 'application/json')).status, 200)
  assert.is((await sendRaw(strict, withNumber('snowflake'), 'application/json')).status, 400)
  assert.is((await sendRaw(open, withNumber('default_max_age'), 'application/json')).status, 400)
  const many = Array.from({ length: 60 }, (_, index) => `"n${index}":1e400`).join()
  const kept = `{"redirect_uris":["https://rp.example/cb"],${many},"data":{"n":1e400}}`
  assert.match((await sendRaw(open, kept, 'application/json')).text, '/data/n')
})

Lenient('nothing of safety is taken', async ({ open }) => {
  for (const members of [
    { redirect_uris: ['https://rp.example/#', ''] },
    { redirect_uris: ['javascript:alert(1)'] },
    { jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] } },
    { redirect_uris: null },
    { contacts: [''] },
    { dpop_bound_access_tokens: 'true' },
  ])
    assert.is((await send(open, '/clients', { method: 'POST', json: { redirect_uris, ...members } })).status, 400)
})

Lenient('an update is not lenient: it names what it changes', async ({ open }) => {
  const { path, token } = configurationOf(await send(open, '/clients', { method: 'POST', json: { redirect_uris } }))
  assert.is((await send(open, path, { method: 'PUT', token, json: { redirect_uris, logo_uri: null } })).status, 400)
})

Lenient.run()
