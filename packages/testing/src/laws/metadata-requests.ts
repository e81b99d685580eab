import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { members, needsSecret } from '@clientele/domain/client'
import { validClientMetadata } from '../arbitraries/client-metadata.js'
import { withOneFault } from '../arbitraries/metadata-fault.js'
import { clientId, clientSecretText, effectiveMetadata, registeredClient } from '../arbitraries/registration.js'
import { type MetadataLaw, type MetadataRules, type RefusedBody, metadataLaw, reportedOf } from './metadata-rules.js'

const valid = validClientMetadata()

/** The bodies that registration accepts. */
export const metadataRequestLaws: ReadonlyArray<MetadataLaw> = [
  metadataLaw(
    'valid-metadata-is-a-registration-request',
    'valid metadata is a registration request',
    'RFC 7591 §3.1',
    [valid],
    ({ decodeRegistration, validate }, body) => {
      const { metadata } = validate(body)
      const expected = { metadata, preferred_client_id: undefined, preferred_client_secret: undefined }
      assert.equal(decodeRegistration(body), E.right(expected))
    },
  ),
  metadataLaw(
    'any-value-is-a-request-or-refused',
    'every value is a registration request or refused with the code of its kind',
    'RFC 7591 §3.2.2',
    [fc.anything()],
    ({ decodeRegistration }, body) => {
      const decoded = decodeRegistration(body)
      if (E.isLeft(decoded))
        assert.match(decoded.left.error, /^invalid_(request|redirect_uri|client_metadata|software_statement)$/)
    },
  ),
  metadataLaw(
    'any-members-are-a-request-or-refused',
    'members of any values are a registration request, or refused as metadata',
    'RFC 7591 §3.2.2',
    [
      fc.dictionary(
        fc.constantFrom(...Object.keys(members), 'client_name#fr', 'preferred_client_id', 'preferred_client_secret'),
        fc.anything(),
      ),
    ],
    ({ decodeRegistration }, body) => {
      const decoded = decodeRegistration(body)
      if (E.isLeft(decoded))
        assert.match(decoded.left.error, /^invalid_(redirect_uri|client_metadata|software_statement)$/)
    },
  ),
  metadataLaw(
    'no-json-object-is-an-invalid-request',
    'a value that is not a JSON object is an invalid request',
    'specification §7',
    [fc.oneof(fc.array(fc.anything()), fc.string(), fc.double(), fc.constantFrom(null, undefined, true))],
    ({ decodeRegistration }, body) => {
      const decoded = decodeRegistration(body)
      assert.is(E.isLeft(decoded) && decoded.left.error, 'invalid_request')
    },
  ),
  metadataLaw(
    'preferred-id-and-secret-are-taken',
    'a preferred client_id is used unchanged, and a preferred secret if the client needs one',
    'specification §2.1',
    [effectiveMetadata(), clientId(), clientSecretText()],
    ({ decodeRegistration }, metadata, preferred_client_id, preferred_client_secret) => {
      const decoded = decodeRegistration({ ...metadata, preferred_client_id, preferred_client_secret })
      if (needsSecret(metadata))
        assert.equal(decoded, E.right({ metadata, preferred_client_id, preferred_client_secret }))
      else assert.equal(reportedOf(decoded), ['/preferred_client_secret: preferred-client-secret-unused'])
    },
  ),
]

const client = registeredClient()
const updateIs = 'RFC 7592 §2.2'

const serverIssued = [
  'registration_access_token',
  'registration_client_uri',
  'client_id_issued_at',
  'client_secret_expires_at',
]

const registered = ({ decodeRegistration }: MetadataRules, body: unknown): E.Either<RefusedBody, object> =>
  E.map(({ metadata }: { readonly metadata: object }) => metadata)(decodeRegistration(body))

const alikeLaws: ReadonlyArray<MetadataLaw> = [
  metadataLaw(
    'update-accepts-what-registration-accepts',
    'an update accepts the bodies that a registration accepts, as the same metadata',
    updateIs,
    [client, valid],
    (rules, any, body) => assert.equal(rules.decodeUpdate(any)(body), registered(rules, body)),
  ),
  metadataLaw(
    'update-refuses-what-registration-refuses',
    'an update refuses the bodies that a registration refuses, with the same texts',
    updateIs,
    [client, withOneFault(valid)],
    (rules, any, { body }) => assert.equal(rules.decodeUpdate(any)(body), registered(rules, body)),
  ),
  metadataLaw(
    'any-value-is-judged-alike',
    'an update and a registration judge every value alike',
    updateIs,
    [client, fc.anything()],
    (rules, any, body) => assert.equal(rules.decodeUpdate(any)(body), registered(rules, body)),
  ),
]

const identityLaws: ReadonlyArray<MetadataLaw> = [
  metadataLaw(
    'own-id-and-secret-may-be-sent',
    'an update may contain the present client_id and client_secret',
    updateIs,
    [client, valid],
    (rules, any, body) => {
      const secret = any.secret === undefined ? {} : { client_secret: any.secret.client_secret }
      const update = rules.decodeUpdate(any)({ ...body, client_id: any.client_id, ...secret })
      assert.equal(update, registered(rules, body))
    },
  ),
  metadataLaw(
    'another-id-or-secret-is-refused',
    'an update with another client_id or client_secret is refused, of any type',
    updateIs,
    [client, valid, fc.anything()],
    ({ decodeUpdate }, any, body, other) => {
      if (other === any.client_id || other === any.secret?.client_secret) return
      const reported = (member: string) => reportedOf(decodeUpdate(any)({ ...body, [member]: other }))
      assert.equal(reported('client_id'), ['/client_id: client-id-mismatch'])
      if (other !== undefined) assert.equal(reported('client_secret'), ['/client_secret: client-secret-mismatch'])
    },
  ),
  metadataLaw(
    'server-issued-members-are-refused',
    'a member that only the server issues is refused in an update, whatever its value',
    updateIs,
    [client, valid, fc.constantFrom(...serverIssued), fc.anything()],
    ({ decodeUpdate }, any, body, name, value) =>
      assert.equal(reportedOf(decodeUpdate(any)({ ...body, [name]: value })), [`/${name}: server-issued`]),
  ),
  metadataLaw(
    'preset-by-registration-only',
    'the identifier and the secret are preset by a registration only',
    'specification §2.1',
    [client, valid, fc.constantFrom('preferred_client_id', 'preferred_client_secret'), fc.anything()],
    ({ decodeUpdate }, any, body, name, value) =>
      assert.equal(reportedOf(decodeUpdate(any)({ ...body, [name]: value })), [`/${name}: create-only`]),
  ),
  metadataLaw(
    'every-fault-of-an-update-is-told',
    'all faults of an update are reported at once',
    'docs/decisions/0017-one-table-of-members.md',
    [client, fc.subarray(serverIssued)],
    ({ decodeUpdate }, any, names) => {
      const body = {
        redirect_uris: ['https://rp.example/'],
        client_id: 7,
        ...Object.fromEntries(names.map((name) => [name, null])),
      }
      const expected = ['/client_id: client-id-mismatch', ...names.map((name) => `/${name}: server-issued`)]
      assert.equal([...reportedOf(decodeUpdate(any)(body))].sort(), expected.sort())
    },
  ),
]

/** The bodies that an update accepts. */
export const metadataUpdateLaws: ReadonlyArray<MetadataLaw> = [...alikeLaws, ...identityLaws]
