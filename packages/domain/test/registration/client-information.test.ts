import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as fc from 'fast-check'
import {
  clientInformation,
  previewOfRegistration,
  previewOfUpdate,
  registrationClientUri,
  warningsOf,
} from '../../src/registration/information.js'
import { members } from '../../src/client/members.js'
import { reportedName } from '../../src/kernel/values.js'
import { law, oneSample, registeredClient, unapproved } from '@clientele/testing'

const ClientInformation = suite('clientInformation')
const it = law(ClientInformation)
const client = registeredClient()
const endpoint = 'https://op.example/clients'
const issuedMembers = ['client_id', 'client_id_issued_at', 'registration_access_token', 'registration_client_uri']

it('it is the metadata and what was issued, and nothing else (RFC 7591 §3.2.1)', [client], (any) => {
  const information: Readonly<Record<string, unknown>> = { ...clientInformation(endpoint)(any) }
  const secret = any.secret === undefined ? [] : ['client_secret', 'client_secret_expires_at']
  assert.equal(Object.keys(information).sort(), [...issuedMembers, ...secret, ...Object.keys(any.metadata)].sort())
  for (const [name, value] of Object.entries(any.metadata)) assert.equal(information[name], value)
})

it('no member is null or undefined', [client], (any) =>
  Object.values<unknown>({ ...clientInformation(endpoint)(any) }).every(
    (value) => value !== null && value !== undefined,
  ),
)

it('client_secret_expires_at stands exactly where a client_secret stands', [client], (any) => {
  const information = clientInformation(endpoint)(any)
  assert.is(Object.hasOwn(information, 'client_secret'), Object.hasOwn(information, 'client_secret_expires_at'))
  assert.equal(
    [information.client_secret, information.client_secret_expires_at],
    [any.secret?.client_secret, any.secret?.client_secret_expires_at],
  )
})

it('registration_client_uri is the endpoint, a slash and the client_id', [client], (any) =>
  assert.is(clientInformation(endpoint)(any).registration_client_uri, `${endpoint}/${any.client_id}`),
)

it(
  'an identifier of any characters stands percent-encoded in registration_client_uri',
  [fc.string({ unit: 'grapheme' })],
  (id) => {
    const uri = registrationClientUri(endpoint, id)
    assert.is(decodeURIComponent(uri.slice(endpoint.length + 1)), id)
    assert.match(uri.slice(endpoint.length + 1), /^[^/?#\\]*$/)
  },
)

it('neither the hash of the token nor what the registration was allowed is told', [client], (any) => {
  const text = JSON.stringify(clientInformation(endpoint)(any))
  assert.not(text.includes(any.registration_access_token.hash))
  assert.not(Object.hasOwn(JSON.parse(text), 'privileges') || Object.hasOwn(JSON.parse(text), 'version'))
})

it('a preview of an update is the same without credentials', [client], (any) => {
  const { client_secret, client_secret_expires_at, registration_access_token, ...rest } =
    clientInformation(endpoint)(any)
  const warnings = warningsOf({ outboundFetches: false })({ backchannel_logout_uri: 'https://rp.example/' })
  const reported = previewOfUpdate(endpoint, any.metadata, warnings)(any)
  assert.equal({ ...reported }, { ...rest, added: {}, adjustments: [], dropped: [], warnings })
  const text = JSON.stringify(previewOfUpdate(endpoint, {}, [])(any))
  for (const credential of [client_secret, registration_access_token])
    assert.not(credential !== undefined && text.includes(credential))
  assert.not(Object.hasOwn(JSON.parse(text), 'client_secret_expires_at'), String(client_secret_expires_at))
})

it(
  'each preview says that the client would wait for an approval, as the answer does',
  [client, unapproved()],
  (any, approval) => {
    const waiting = { ...any, approval }
    const told = clientInformation(endpoint)(waiting).approval
    assert.equal(previewOfRegistration(any.metadata, [], [])(waiting).approval, told)
    assert.equal(previewOfUpdate(endpoint, any.metadata, [])(waiting).approval, told)
  },
)

it(
  'a preview names what was sent and is unknown, and nothing that is kept or told as a fault',
  [client, fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 8 })],
  (any, unknown) => {
    const names = Object.keys(unknown).filter((name) => !Object.hasOwn(members, name) && !name.includes('#'))
    const added = Object.fromEntries(names.map((name) => [name, 1]))
    const beside = { preferred_client_id: 'a', preferred_client_secret: 'b' }
    assert.equal(
      previewOfRegistration({ ...any.metadata, ...beside, ...added }, [], [])(any).dropped,
      names.map(reportedName),
    )
    const repeated = { client_id: any.client_id, client_secret: 'a' }
    assert.equal(
      previewOfUpdate(endpoint, { ...any.metadata, ...repeated, ...added }, [])(any).dropped,
      names.map(reportedName),
    )
  },
)

ClientInformation('what only an update may repeat is dropped by a registration', () => {
  const sent = {
    client_id: 'mine',
    client_secret: 'x',
    registration_access_token: 'y',
    'client_name#fr': 'z',
    'data#fr': 1,
  }
  assert.equal(previewOfRegistration(sent, [], [])(oneSample(client)).dropped, [
    'client_id',
    'client_secret',
    'registration_access_token',
    'data#fr',
  ])
})

ClientInformation('of many unknown names 50 are told, of a long one 80 characters, and of no character a half', () => {
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`unknown_${index}`, 1]))
  const { dropped } = previewOfRegistration({ [`${'x'.repeat(79)}😀y`]: 1, ...many }, [], [])(oneSample(client))
  assert.is(dropped.length, 50)
  assert.equal(dropped.slice(0, 2), ['x'.repeat(79), 'unknown_0'])
  assert.is(dropped.at(-1), 'unknown_48')
})

ClientInformation.run()
