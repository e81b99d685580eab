import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { members, needsSecret } from '@clientele/domain/client'
import { validClientMetadata } from '../arbitraries/client-metadata.js'
import { withOneFault } from '../arbitraries/faults-of-clients.js'
import { clientId, clientSecretText, effectiveMetadata, registeredClient } from '../arbitraries/registration.js'
import {
  type MetadataLaw,
  type MetadataRules,
  type RefusedBody,
  law,
  lawsOf,
  metadataFaultLaws,
  metadataValueLaws,
  reportedOf,
} from './metadata-values.js'

const valid = validClientMetadata()

/** The bodies that registration accepts. */
const metadataRequestLaws: ReadonlyArray<MetadataLaw> = [
  ...lawsOf('RFC 7591 §3.1', {
    'valid-metadata-is-a-registration-request': law(
      'valid metadata is a registration request',
      [valid],
      ({ decodeRegistration, validate }, body) => {
        const { metadata } = validate(body)
        const expected = { metadata, preferred_client_id: undefined, preferred_client_secret: undefined }
        assert.equal(decodeRegistration(body), E.right(expected))
      },
    ),
  }),
  ...lawsOf('RFC 7591 §3.2.2', {
    'any-value-is-a-request-or-refused': law(
      'every value is a registration request or refused with the code of its kind, and what is no object as invalid_request',
      [fc.oneof(fc.anything(), fc.array(fc.anything()))],
      ({ decodeRegistration }, body) => {
        const decoded = decodeRegistration(body)
        const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
        if (!isObject) assert.is(E.isLeft(decoded) && decoded.left.error, 'invalid_request')
        else if (E.isLeft(decoded))
          assert.match(decoded.left.error, /^invalid_(request|redirect_uri|client_metadata|software_statement)$/)
      },
    ),
    'any-members-are-a-request-or-refused': law(
      'members of any values are a registration request, or refused as metadata',
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
  }),
  ...lawsOf('specification §2.1', {
    'preferred-id-and-secret-are-taken': law(
      'a preferred client_id is used unchanged, and a preferred secret if the client needs one',
      [effectiveMetadata(), clientId(), clientSecretText()],
      ({ decodeRegistration }, metadata, preferred_client_id, preferred_client_secret) => {
        const decoded = decodeRegistration({ ...metadata, preferred_client_id, preferred_client_secret })
        if (needsSecret(metadata))
          assert.equal(decoded, E.right({ metadata, preferred_client_id, preferred_client_secret }))
        else assert.equal(reportedOf(decoded), ['/preferred_client_secret: preferred-client-secret-unused'])
      },
    ),
  }),
]

const client = registeredClient()
const updateIs = 'RFC 7592 §2.2'

const serverIssued = [
  'registration_access_token',
  'registration_client_uri',
  'client_id_issued_at',
  'client_secret_expires_at',
]
// Specification §2.1
const presets = ['preferred_client_id', 'preferred_client_secret']
const refusedInUpdates = [
  ...serverIssued.map((name) => [name, 'server-issued'] as const),
  ...presets.map((name) => [name, 'create-only'] as const),
]

const registered = ({ decodeRegistration }: MetadataRules, body: unknown): E.Either<RefusedBody, object> =>
  E.map(({ metadata }: { readonly metadata: object }) => metadata)(decodeRegistration(body))

/** The bodies that an update accepts. */
const metadataUpdateLaws: ReadonlyArray<MetadataLaw> = [
  ...lawsOf(updateIs, {
    'any-value-is-judged-alike': law(
      'an update accepts what a registration accepts, as the same metadata, and refuses what it refuses, with the same texts',
      [client, valid, withOneFault(valid), fc.anything()],
      (rules, any, good, bad, other) => {
        for (const body of [good, bad.body, other]) assert.equal(rules.decodeUpdate(any)(body), registered(rules, body))
      },
    ),
    'own-id-and-secret-may-be-sent': law(
      'an update may contain the present client_id and client_secret',
      [client, valid],
      (rules, any, body) => {
        const secret = any.secret === undefined ? {} : { client_secret: any.secret.client_secret }
        const update = rules.decodeUpdate(any)({ ...body, client_id: any.client_id, ...secret })
        assert.equal(update, registered(rules, body))
      },
    ),
    'another-id-or-secret-is-refused': law(
      'an update with another client_id or client_secret is refused, of any type',
      [client, valid, fc.anything()],
      ({ decodeUpdate }, any, body, other) => {
        if (other === any.client_id || other === any.secret?.client_secret) return
        const reported = (member: string) => reportedOf(decodeUpdate(any)({ ...body, [member]: other }))
        assert.equal(reported('client_id'), ['/client_id: client-id-mismatch'])
        if (other !== undefined) assert.equal(reported('client_secret'), ['/client_secret: client-secret-mismatch'])
      },
    ),
    'server-issued-members-are-refused': law(
      'a member that only the server issues or a registration presets is refused in an update, whatever its value',
      [client, valid, fc.constantFrom(...refusedInUpdates), fc.anything()],
      ({ decodeUpdate }, any, body, [name, rule], value) =>
        assert.equal(reportedOf(decodeUpdate(any)({ ...body, [name]: value })), [`/${name}: ${rule}`]),
    ),
  }),
  ...lawsOf('docs/decisions/client-metadata.md', {
    'every-fault-of-an-update-is-told': law(
      'all faults of an update are reported at once',
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
  }),
]

/** All laws of client metadata, in registrations and in updates. */
export const metadataLaws: ReadonlyArray<MetadataLaw> = [
  ...metadataValueLaws,
  ...metadataFaultLaws,
  ...metadataRequestLaws,
  ...metadataUpdateLaws,
]
