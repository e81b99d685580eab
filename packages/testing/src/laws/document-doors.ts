// The door of documents and that of POST /clients: what one refuses, the other one refuses.
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { openPrivileges, permits } from '@clientele/domain/authorization'
import { members } from '@clientele/domain/client'
import type { RuleId } from '@clientele/domain/kernel'
import type { RegistrationPolicy } from '@clientele/domain/policy'
import {
  type RegistrationSettings,
  decideRegistration,
  defaultRegistration,
  requestedPrivileges,
} from '@clientele/domain/registration'
import { validClientMetadata } from '../arbitraries/client-metadata.js'
import { clientIdUrlText } from '../arbitraries/uris.js'
import { answeredWith, usesClientSecret, withoutSecrets } from '../arbitraries/documents.js'
import { issued } from '../arbitraries/registration.js'
import type { SentMetadata } from '../arbitraries/json-values.js'
import { withOneFault } from '../arbitraries/metadata-fault.js'
import { scopeValues } from '../arbitraries/privileges.js'
import { type DocumentLaw, documentLaw } from './document-rules.js'

const oneDecision = 'docs/decisions/0136-documents-decided-as-registrations.md'

export type DocumentException = {
  readonly id: string
  /** When the doors differ, and how. */
  readonly difference: string
  readonly reason: string
  readonly appliesTo: (body: SentMetadata) => boolean
  /** The rules that one of the doors alone may report of such a body. */
  readonly rules: ReadonlyArray<RuleId>
}

const method = (body: SentMetadata): unknown => body['token_endpoint_auth_method']

/** Where a document and a registration with the same metadata are answered differently. */
export const documentExceptions: ReadonlyArray<DocumentException> = [
  {
    id: 'method-with-secret',
    difference: 'a document with a method `client_secret_…` is refused (`document-auth-method`)',
    reason: 'draft -02 §4.1: a document can hold no shared secret',
    appliesTo: (body) => String(method(body)).startsWith('client_secret_'),
    rules: ['document-auth-method', 'secret-length'],
  },
  {
    id: 'method-left-out',
    difference:
      'without `token_endpoint_auth_method`, the client of a document has `none`, and a registered one `client_secret_basic`',
    reason: 'the default of RFC 7591 §2 needs a secret',
    appliesTo: (body) => method(body) === undefined,
    rules: ['confidential-grant', 'secret-algorithm'],
  },
  {
    id: 'method-chosen',
    difference:
      'a document with `token_endpoint_auth_methods_supported` gets the best method that this service supports',
    reason: 'OpenID RP Metadata Choices §2; a document is written for all services',
    appliesTo: (body) => body['token_endpoint_auth_methods_supported'] !== undefined,
    rules: ['keys-required', 'policy-auth-method'],
  },
  {
    id: 'algorithm-with-secret',
    difference: 'a document whose algorithm uses a client_secret is refused (`document-secret-algorithm`)',
    reason: 'OpenID Core §10.1: the key is the client_secret',
    appliesTo: (body) =>
      method(body) !== 'none' && Object.entries(body).some(([name, value]) => usesClientSecret(name, value)),
    rules: ['document-secret-algorithm', 'secret-length'],
  },
  {
    id: 'sector-elsewhere',
    difference:
      'a document with a `sector_identifier_uri`, or pairwise without one, whose sector is at another host is refused (`document-sector`)',
    reason:
      'OpenID Registration §5: a registration is compared with the document of the sector, which the authorization server would have to request for each use of the client',
    appliesTo: (body) =>
      body['sector_identifier_uri'] !== undefined ||
      [body['subject_type'], body['subject_types_supported']].flat().includes('pairwise'),
    rules: ['document-sector'],
  },
]

const isException = (body: SentMetadata): boolean => documentExceptions.some(({ appliesTo }) => appliesTo(body))

const valid = fc.oneof(
  { weight: 1, arbitrary: validClientMetadata() },
  { weight: 4, arbitrary: validClientMetadata().map(withoutSecrets) },
)
const bodies: fc.Arbitrary<SentMetadata> = fc.oneof(
  valid,
  withOneFault(valid).map(({ body }) => body),
  fc
    .tuple(
      valid,
      fc.dictionary(fc.constantFrom(...Object.keys(members), 'unknown'), fc.anything(), { noNullPrototype: true }),
    )
    .map((parts) => Object.assign({}, ...parts)),
)

const restrictions: fc.Arbitrary<Omit<RegistrationPolicy, 'ceilings'>> = fc.record(
  {
    allowed_redirect_hosts: fc.subarray(['rp.example', '127.0.0.1', 'localhost', 'com.example.app:']),
    required_members: fc.subarray(['client_name', 'contacts', 'logo_uri']),
    allowed_token_endpoint_auth_methods: fc.subarray([...members.token_endpoint_auth_method.type.values]),
    allowed_algorithms: fc.subarray(['RS256', 'ES256', 'PS384', 'ECDH-ES', 'A128CBC-HS256']),
    software_statements: fc.record(
      { required: fc.constantFrom('never', 'open', 'always'), accept: fc.constantFrom('any', 'listed') },
      { requiredKeys: [], noNullPrototype: true },
    ),
  },
  { requiredKeys: [], noNullPrototype: true },
)

const settings: fc.Arbitrary<RegistrationSettings> = fc
  .tuple(fc.oneof(fc.constant({}), restrictions), fc.boolean(), fc.subarray([...scopeValues]))
  .map(([restricted, outboundFetches, scope]) => ({
    ...defaultRegistration,
    mode: { kind: 'open', scope },
    policy: {
      ...restricted,
      metadata_documents: { accept: 'any' },
      ceilings: {
        open: { ...openPrivileges({ kind: 'open', scope }), scope: 'any' },
        managed: openPrivileges({ kind: 'managed' }),
      },
    },
    registrationEndpoint: 'https://op.example/clients',
    issuer: 'https://op.example',
    outboundFetches,
  }))

const briefly = (faults: ReadonlyArray<{ readonly pointer: string; readonly rule: string }>): ReadonlyArray<string> =>
  faults.map(({ pointer, rule }) => `${pointer} ${rule}`)

/** Documents and registrations. */
export const documentDoorLaws: ReadonlyArray<DocumentLaw> = [
  documentLaw(
    'a-document-is-judged-as-a-registration',
    'POST without a token and a document with the same metadata are answered alike, but for listed exceptions',
    oneDecision,
    [settings, bodies, clientIdUrlText(), issued()],
    ({ decideDocument }, both, body, url, generated) => {
      if (isException(body)) return
      const posted = decideRegistration(both)({
        credential: { kind: 'none' },
        token: O.none,
        body: E.right(body),
        statement: O.none,
        issued: generated,
      })
      const decided = decideDocument(both)(url, answeredWith({ ...body, client_id: url }, generated.at))
      if (E.isRight(posted))
        assert.equal(
          decided,
          E.right({
            ...(E.isRight(decided) ? decided.right : {}),
            client: { client_id: url, metadata: posted.right.client.metadata },
          }),
        )
      else if ('errors' in posted.left)
        assert.equal(E.isLeft(decided) && briefly(decided.left), briefly(posted.left.errors ?? []))
      else assert.is(posted.left.error, 'missing_token')
    },
  ),
  documentLaw(
    'a-document-gets-no-more-than-open-registration',
    'what exceeds the privileges of open registration is left out of a document, or the document is refused',
    oneDecision,
    [settings, bodies, clientIdUrlText(), issued()],
    ({ decideDocument }, both, body, url, { at }) => {
      const decided = decideDocument(both)(url, answeredWith({ ...body, client_id: url }, at))
      if (E.isLeft(decided)) return
      assert.ok(permits(openPrivileges(both.mode))(requestedPrivileges(decided.right.client.metadata)))
    },
  ),
]
