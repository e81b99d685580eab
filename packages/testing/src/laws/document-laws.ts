import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { openPrivileges } from '@clientele/domain/authorization'
import { type ClientIdUrl, kindOfFault, members, needsSecret } from '@clientele/domain/client'
import { type EpochSeconds, type Fault, type RuleId, jsonInOrder, secondsAfter } from '@clientele/domain/kernel'
import { type DocumentPolicy, type RegistrationPolicy, driftActions, noCeilings } from '@clientele/domain/policy'
import {
  type ApprovedDocument,
  type CacheFacts,
  type DecidedDocument,
  type DocumentSettings,
  type SeenDocument,
  decideDocument,
  freshnessOf,
} from '@clientele/domain/provider'
import { type RegistrationSettings, decideRegistration, defaultRegistration } from '@clientele/domain/registration'
import { validClientMetadata } from '../arbitraries/client-metadata.js'
import { epochSecond } from '../arbitraries/credentials.js'
import {
  answeredWith,
  anyDocumentPolicy,
  cacheFacts,
  documentMetadata,
  documentSettings,
  stricterPolicies,
  usesClientSecret,
  withoutSecrets,
} from '../arbitraries/documents.js'
import { withOneFault } from '../arbitraries/faults-of-clients.js'
import type { SentMetadata } from '../arbitraries/json-values.js'
import { scopeValues } from '../arbitraries/privileges.js'
import { issued } from '../arbitraries/registration.js'
import { clientIdUrlText } from '../arbitraries/uris.js'
import { type Law, lawsAbout } from './law.js'

type Decision = E.Either<ReadonlyArray<Fault>, DecidedDocument>

/** The functions that the laws of Client ID Metadata Documents are about. */
export type DocumentRules = {
  readonly decideDocument: (
    settings: DocumentSettings,
  ) => (url: ClientIdUrl, seen: SeenDocument, approved?: ApprovedDocument) => Decision
  readonly freshnessOf: (
    policy: Pick<DocumentPolicy, 'least_freshness' | 'greatest_freshness'>,
    cache: unknown,
  ) => number
}

/** The domain's own rules. */
export const documentRules: DocumentRules = { decideDocument, freshnessOf }

export type DocumentLaw = Law<DocumentRules>

const { law, lawsOf } = lawsAbout(documentRules)

/** The document that was decided on; an error if it was refused. */
const accepted = (decision: Decision): DecidedDocument => {
  if (E.isLeft(decision)) throw new Error(JSON.stringify(decision.left))
  return decision.right
}

const decision = 'docs/decisions/documents-of-clients.md'

export type DocumentException = {
  readonly id: string
  /** When the doors differ, and how. */
  readonly difference: string
  readonly reason: string
  readonly appliesTo: (body: SentMetadata) => boolean
  /** The rules that one of the doors alone may report of such a body, where the law of doors has such bodies. */
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
    reason: 'the default of a registration (RFC 7591 §2) needs a secret',
    appliesTo: (body) => method(body) === undefined,
    rules: [],
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
    difference:
      'a document that names an algorithm with a client_secret is refused (`document-secret-algorithm`, or `secret-algorithm` if the document also loses a grant or response type)',
    reason: 'OpenID Core §10.1: the key is the client_secret',
    appliesTo: (body) =>
      method(body) !== 'none' && Object.entries(body).some(([name, value]) => usesClientSecret(name, value)),
    rules: ['document-secret-algorithm', 'secret-algorithm', 'secret-length'],
  },
  {
    id: 'sector-elsewhere',
    difference:
      'a document is refused (`document-sector`) if its `sector_identifier_uri` is at another host than its client_id, or if it is pairwise without that member and a redirection URI is at another host',
    reason:
      'OpenID Registration §5: a registration is compared with the list at `sector_identifier_uri`; for a document, the authorization server would have to request that list at each use of the client',
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
    allowed_response_types: fc.subarray(['code', 'id_token', 'none']),
    allowed_algorithms: fc.subarray(['RS256', 'ES256', 'PS384', 'ECDH-ES', 'A128CBC-HS256']),
    software_statements: fc.record(
      { required: fc.constantFrom('never', 'open', 'always'), accept: fc.constantFrom('any', 'listed') },
      { requiredKeys: [], noNullPrototype: true },
    ),
  },
  { requiredKeys: [], noNullPrototype: true },
)

const doorSettings: fc.Arbitrary<RegistrationSettings> = fc
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

const url = clientIdUrlText()
const at = epochSecond()
const policy = anyDocumentPolicy()
const settings = documentSettings(policy)
const open = documentSettings(
  policy.map((each) => ({ ...each, accept: 'any' as const, denied_hosts: [], denied_url_prefixes: [] })),
)

const metadata = documentMetadata()

const statuses = fc.constantFrom(200, 204, 301, 304, 403, 404, 410, 500, 503)

/** Any answer of a server, or none. */
const seen: fc.Arbitrary<SeenDocument> = fc.oneof(
  at.map((time) => ({ kind: 'unreachable' as const, at: time })),
  fc
    .tuple(fc.oneof(fc.anything(), fc.dictionary(fc.string(), fc.anything()), metadata), at, statuses, cacheFacts())
    .map(([body, time, status, cache]) => ({ ...answeredWith(body, time, cache), status })),
)

const severity = (action: string): number => driftActions.findIndex((each) => each === action)

const hostOf = (id: string): string => /^https:\/\/(\[::1\]|[^/:]+)/.exec(id)?.[1] ?? ''

/** The answer of the server at the URL with the document, which names a client_id. */
const answerAt = (client_id: unknown, body: object, at: EpochSeconds, cache?: CacheFacts): SeenDocument =>
  answeredWith({ ...body, client_id }, at, cache)

/** The document as it is approved at its first use, if it is accepted. */
const approvedBy = (
  decide: ReturnType<DocumentRules['decideDocument']>,
  id: ClientIdUrl,
  body: object,
  seen_at: EpochSeconds,
): ApprovedDocument | undefined => {
  const decided = decide(id, answerAt(id, body, seen_at))
  return E.isRight(decided) ? { metadata: decided.right.client.metadata, seen_at } : undefined
}

/** All laws of Client ID Metadata Documents. */
export const documentLaws: ReadonlyArray<DocumentLaw> = [
  ...lawsOf(decision, {
    'a-document-is-judged-as-a-registration': law(
      'what POST without a token registers, a document becomes; and what POST refuses for safety, a document is refused for',
      [doorSettings, bodies, clientIdUrlText(), issued()],
      ({ decideDocument }, both, body, url, generated) => {
        if (isException(body)) return
        const posted = decideRegistration({ ...both, lenient: true })({
          credential: { kind: 'none' },
          token: O.none,
          body: E.right(body),
          statement: O.none,
          issued: generated,
        })
        const decided = decideDocument(both)(url, answerAt(url, body, generated.at))
        if (E.isRight(posted))
          assert.equal(
            decided,
            E.right({
              ...(E.isRight(decided) ? decided.right : {}),
              client: { client_id: url, metadata: posted.right.client.metadata },
            }),
          )
        else if ('errors' in posted.left) {
          const unsafe = briefly((posted.left.errors ?? []).filter((fault) => kindOfFault(fault) === 'safety'))
          const refused = E.isLeft(decided) ? briefly(decided.left) : []
          assert.equal(
            unsafe.filter((fault) => !refused.includes(fault)),
            [],
          )
        } else assert.is(posted.left.error, 'missing_token')
      },
    ),
    'what-is-left-of-a-document-can-be-registered': law(
      'the metadata that is left of a document is registered by POST without a token, and nothing in it is changed',
      [doorSettings, bodies, clientIdUrlText(), issued()],
      ({ decideDocument }, both, body, url, generated) => {
        const decided = decideDocument(both)(url, answerAt(url, body, generated.at))
        if (E.isLeft(decided)) return
        const { metadata } = decided.right.client
        const posted = decideRegistration(both)({
          credential: { kind: 'none' },
          token: O.none,
          body: E.right({ ...metadata }),
          statement: O.none,
          issued: generated,
        })
        assert.equal(E.isRight(posted) && posted.right.client.metadata, metadata)
      },
    ),
    'a-document-names-its-own-url': law(
      'a document that names another client_id than its URL, byte by byte, is refused for it',
      [open, url, fc.oneof(url, fc.anything()), metadata, at],
      ({ decideDocument }, all, id, named, body, time) => {
        if (named === id) return
        const decided = decideDocument(all)(id, answerAt(named, body, time))
        assert.ok(E.isLeft(decided) && decided.left.some(({ rule }) => rule === 'document-client-id'))
      },
    ),
    'no-document-has-a-secret': law(
      'no client of a document has a method or an algorithm with a client_secret',
      [open, url, validClientMetadata(), fc.subarray(['client_secret', 'client_secret_expires_at']), at],
      ({ decideDocument }, all, id, body, names, time) => {
        const secrets = Object.fromEntries(names.map((name) => [name, 0]))
        const decided = decideDocument(all)(id, answerAt(id, { ...body, ...secrets }, time))
        if (E.isRight(decided)) assert.ok(names.length === 0 && !needsSecret(decided.right.client.metadata))
      },
    ),
    'only-accepted-urls-are-decided': law(
      'every answer is decided, with a fault or a client; of a URL that the policy does not accept, or denies, each is refused',
      [settings, url, seen],
      ({ decideDocument }, all, id, answer) => {
        const any = decideDocument(all)(id, answer)
        assert.ok(E.isRight(any) || any.left.length > 0)
        const part = { ...all.policy.metadata_documents, accept: 'any' as const }
        const refused = [
          { ...all.policy.metadata_documents, accept: 'none' as const },
          { ...part, denied_hosts: [hostOf(id)] },
          { ...part, denied_url_prefixes: [id] },
          { ...part, accept: 'listed' as const, allowed_hosts: [], allowed_url_prefixes: [`${id}x`] },
        ]
        for (const metadata_documents of refused) {
          const decided = decideDocument({ ...all, policy: { ...all.policy, metadata_documents } })(id, answer)
          assert.equal(E.isLeft(decided) && decided.left.map(({ rule }) => rule), ['document-not-accepted'])
        }
      },
    ),
  }),
  ...lawsOf('docs/decisions/registration-policy.md', {
    'a-stricter-policy-permits-no-more': law(
      'a stricter policy accepts nothing more, lets nothing more go on, and nothing for longer',
      [stricterPolicies(), url, metadata, metadata, fc.boolean(), seen, cacheFacts(), at],
      ({ decideDocument }, [lax, strict], id, body, before, isFound, other, cache, time) => {
        const deciding = (metadata_documents: typeof lax) =>
          decideDocument({
            mode: { kind: 'open', scope: ['openid'] },
            outboundFetches: true,
            policy: { metadata_documents, ceilings: noCeilings },
          })
        const first = deciding({ ...lax, accept: 'any', denied_hosts: [], denied_url_prefixes: [] })
        const approved = approvedBy(first, id, before, time)
        const answer = isFound ? answerAt(id, body, time, cache) : other
        const given = deciding(strict)(id, answer, approved)
        if (E.isLeft(given)) return
        const more = accepted(deciding(lax)(id, answer, approved))
        assert.equal(more.client, given.right.client)
        assert.ok(severity(more.action) <= severity(given.right.action))
        assert.ok(more.fresh_until >= given.right.fresh_until)
      },
    ),
  }),
  ...lawsOf(decision, {
    'the-policy-answers-each-drift': law(
      'an equal document has no drift and goes on; a changed one has the most severe action that the policy has for its kinds',
      [open, url, metadata, fc.option(metadata), at, at],
      ({ decideDocument }, all, id, body, other, before, time) => {
        const decide = decideDocument(all)
        const approved = approvedBy(decide, id, body, before)
        const decided = decide(id, answerAt(id, other ?? body, time), approved)
        if (approved === undefined || (other !== null && E.isLeft(decided))) return
        const { drift, action, client } = accepted(decided)
        const actions = drift.map((kind) => severity(all.policy.metadata_documents?.on_drift?.[kind] ?? ''))
        assert.is(severity(action), Math.max(0, ...actions))
        assert.is(drift.length === 0, jsonInOrder(client.metadata) === jsonInOrder(approved.metadata))
      },
    ),
    'freshness-is-within-bounds': law(
      'a document is fresh for a whole number of seconds within the bounds of the policy, whatever its server says',
      [
        policy,
        fc.oneof(
          cacheFacts(),
          fc.anything(),
          fc.dictionary(fc.constantFrom('max_age', 'age', 's_maxage'), fc.anything()),
        ),
      ],
      ({ freshnessOf }, { least_freshness, greatest_freshness }, cache) => {
        const seconds = freshnessOf({ least_freshness, greatest_freshness }, cache)
        assert.ok(Number.isInteger(seconds) && seconds >= least_freshness && seconds <= greatest_freshness)
      },
    ),
    'a-withdrawn-document-goes-on-only-by-policy': law(
      'the client of a withdrawn document goes on only if the policy says so, and never without an approved document',
      [open, url, metadata, fc.constantFrom(404, 410), at],
      ({ decideDocument }, all, id, body, status, time) => {
        const decide = decideDocument(all)
        const gone: SeenDocument = { ...answeredWith(body, time), status }
        assert.ok(E.isLeft(decide(id, gone)))
        const approved = approvedBy(decide, id, body, time)
        if (approved === undefined) return
        const { drift, action, fresh_until } = accepted(decide(id, gone, approved))
        assert.equal([drift, fresh_until], [['withdrawn'], time])
        assert.is(action, all.policy.metadata_documents?.on_drift?.withdrawn)
      },
    ),
    'an-unreachable-document-counts-for-a-time': law(
      'while its server is not reached, an approved document counts as long as the policy says, and not a second longer',
      [open, url, metadata, fc.constantFrom(301, 403, 500, 503), at],
      ({ decideDocument }, all, id, body, status, time) => {
        const decide = decideDocument(all)
        const approved = approvedBy(decide, id, body, time)
        if (approved === undefined) return
        const last = secondsAfter(time, all.policy.metadata_documents?.unreachable_for ?? 0)
        const decidedAt = (moment: typeof time) => decide(id, { ...answeredWith(body, moment), status }, approved)
        const { client, drift } = accepted(decidedAt(last))
        assert.equal([client.metadata, drift], [approved.metadata, ['unreachable']])
        assert.ok(E.isLeft(decidedAt(secondsAfter(last, 1))))
      },
    ),
  }),
]
