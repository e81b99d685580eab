import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeRegistrationRequest } from '../../src/client/registration-request.js'
import type { RegisteredClient } from '../../src/client/registered-client.js'
import { decodeUpdateRequest } from '../../src/client/update-request.js'
import {
  everyFaultOf,
  law,
  oneSample,
  registeredClient,
  sent,
  standardRules,
  validClientMetadata,
  withOneFault,
} from '../../src/testing/index.js'

const UpdateRequest = suite('decodeUpdateRequest')
const it = law(UpdateRequest)
const client = registeredClient()
const valid = validClientMetadata()
const update = (any: RegisteredClient) => (body: unknown) => decodeUpdateRequest(standardRules, any)(sent(body))
const metadataOf = (body: unknown) =>
  E.map(({ metadata }: { readonly metadata: unknown }) => metadata)(
    decodeRegistrationRequest(standardRules)(sent(body)),
  )

const rulesOf = (decoded: ReturnType<ReturnType<typeof decodeUpdateRequest>>) =>
  E.isLeft(decoded) ? (decoded.left.errors ?? []).map(({ pointer, rule }) => `${pointer}: ${rule}`) : []

it('an update accepts what a registration accepts, as the same metadata', [client, valid], (any, body) =>
  assert.equal(update(any)(body), metadataOf(body)),
)

it('an update refuses what a registration refuses, in the same words', [client, withOneFault(valid)], (any, { body }) =>
  assert.equal(update(any)(body), metadataOf(body)),
)

it('any value whatever is judged alike by an update and a registration', [client, fc.anything()], (any, body) =>
  assert.equal(update(any)(body), metadataOf(body)),
)

UpdateRequest('each fault that a registration tells, an update tells', () => {
  const any = oneSample(client)
  for (const { body, fault } of everyFaultOf({}))
    assert.equal(rulesOf(update(any)(body)), [`${fault.pointer}: ${fault.rule}`])
})

it('the client_id and the client_secret may be sent as they are (RFC 7592 §2.2)', [client, valid], (any, body) => {
  const secret = any.secret === undefined ? {} : { client_secret: any.secret.client_secret }
  assert.equal(update(any)({ ...body, client_id: any.client_id, ...secret }), metadataOf(body))
})

it('another client_id or client_secret is refused, of any type', [client, valid, fc.anything()], (any, body, other) => {
  if (other === any.client_id || other === any.secret?.client_secret) return
  assert.equal(rulesOf(update(any)({ ...body, client_id: other })), ['/client_id: client-id-mismatch'])
  if (other !== undefined)
    assert.equal(rulesOf(update(any)({ ...body, client_secret: other })), ['/client_secret: client-secret-mismatch'])
})

const serverIssued = [
  'registration_access_token',
  'registration_client_uri',
  'client_id_issued_at',
  'client_secret_expires_at',
]

it(
  'a member that only the server issues is refused, whatever its value (RFC 7592 §2.2)',
  [client, valid, fc.constantFrom(...serverIssued), fc.anything()],
  (any, body, name, value) =>
    assert.equal(rulesOf(update(any)({ ...body, [name]: value })), [`/${name}: server-issued`]),
)

it(
  'the identifier and the secret are preset by a registration only',
  [client, valid, fc.constantFrom('preferred_client_id', 'preferred_client_secret'), fc.anything()],
  (any, body, name, value) => assert.equal(rulesOf(update(any)({ ...body, [name]: value })), [`/${name}: create-only`]),
)

it('all of it is told at once', [client, fc.subarray(serverIssued)], (any, names) => {
  const body = {
    redirect_uris: ['https://rp.example/'],
    client_id: 7,
    ...Object.fromEntries(names.map((name) => [name, null])),
  }
  const expected = ['/client_id: client-id-mismatch', ...names.map((name) => `/${name}: server-issued`)]
  assert.equal([...rulesOf(update(any)(body))].sort(), expected.sort())
})

UpdateRequest.run()
