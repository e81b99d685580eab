import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { validClientMetadata } from '../arbitraries/client-metadata.js'
import { withOneFault } from '../arbitraries/metadata-fault.js'
import { registeredClient } from '../arbitraries/registered-client.js'
import { type MetadataLaw, type MetadataRules, type RefusedBody, metadataLaw, reportedOf } from './metadata-rules.js'

const valid = validClientMetadata()
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
    (rules) => (any, body) => assert.equal(rules.decodeUpdate(any)(body), registered(rules, body)),
  ),
  metadataLaw(
    'update-refuses-what-registration-refuses',
    'an update refuses the bodies that a registration refuses, with the same texts',
    updateIs,
    [client, withOneFault(valid)],
    (rules) =>
      (any, { body }) =>
        assert.equal(rules.decodeUpdate(any)(body), registered(rules, body)),
  ),
  metadataLaw(
    'any-value-is-judged-alike',
    'an update and a registration judge every value alike',
    updateIs,
    [client, fc.anything()],
    (rules) => (any, body) => assert.equal(rules.decodeUpdate(any)(body), registered(rules, body)),
  ),
]

const identityLaws: ReadonlyArray<MetadataLaw> = [
  metadataLaw(
    'own-id-and-secret-may-be-sent',
    'an update may contain the present client_id and client_secret',
    updateIs,
    [client, valid],
    (rules) => (any, body) => {
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
    ({ decodeUpdate }) =>
      (any, body, other) => {
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
    ({ decodeUpdate }) =>
      (any, body, name, value) =>
        assert.equal(reportedOf(decodeUpdate(any)({ ...body, [name]: value })), [`/${name}: server-issued`]),
  ),
  metadataLaw(
    'preset-by-registration-only',
    'the identifier and the secret are preset by a registration only',
    'specification §2.1',
    [client, valid, fc.constantFrom('preferred_client_id', 'preferred_client_secret'), fc.anything()],
    ({ decodeUpdate }) =>
      (any, body, name, value) =>
        assert.equal(reportedOf(decodeUpdate(any)({ ...body, [name]: value })), [`/${name}: create-only`]),
  ),
  metadataLaw(
    'every-fault-of-an-update-is-told',
    'all faults of an update are reported at once',
    'docs/decisions/0017-one-table-of-members.md',
    [client, fc.subarray(serverIssued)],
    ({ decodeUpdate }) =>
      (any, names) => {
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
