import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import type { EpochSeconds } from '@clientele/domain/kernel'
import { type DocumentPolicy, documentPolicy, driftActions, driftKinds, noPolicy } from '@clientele/domain/policy'
import type { CacheFacts, DocumentSettings, SeenDocument } from '@clientele/domain/provider'
import { secretMethods } from './client-authentication.js'
import { type SentMetadata, jsonWebKeySet } from './json-values.js'
import { ceilings, scopeValues } from './privileges.js'
import { registrationMode } from './registration.js'

const hosts = ['app.example', 'a.b.example', '*.b.example', 'localhost', 'other.example']
const prefixes = ['https://app.example/', 'https://app.example/a', 'https://a.b.example/', 'https://localhost/']
const accepts = ['none', 'listed', 'any'] as const

const onDrift = (): fc.Arbitrary<DocumentPolicy['on_drift']> =>
  fc
    .tuple(...driftKinds.map(() => fc.constantFrom(...driftActions)))
    .map(
      (actions) =>
        documentPolicy({ on_drift: Object.fromEntries(driftKinds.map((kind, at) => [kind, actions[at]])) }).on_drift,
    )

const seconds = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max })

/** Any policy for documents. */
export const anyDocumentPolicy = (): fc.Arbitrary<DocumentPolicy> =>
  fc
    .record(
      {
        accept: fc.constantFrom(...accepts),
        allowed_hosts: fc.subarray(hosts),
        denied_hosts: fc.subarray(hosts, { maxLength: 1 }),
        allowed_url_prefixes: fc.subarray(prefixes),
        denied_url_prefixes: fc.subarray(prefixes, { maxLength: 1 }),
        least_freshness: seconds(1, 600),
        greatest_freshness: seconds(600, 31_536_000),
        unreachable_for: seconds(1, 31_536_000),
        on_drift: onDrift(),
      },
      { noNullPrototype: true },
    )
    .map(documentPolicy)

const stricter = (policy: DocumentPolicy): fc.Arbitrary<DocumentPolicy> =>
  fc
    .record(
      {
        accept: fc.constantFrom(...accepts.slice(0, accepts.indexOf(policy.accept) + 1)),
        allowed_hosts: fc.subarray([...policy.allowed_hosts]),
        denied_hosts: fc.subarray(hosts).map((more) => [...policy.denied_hosts, ...more]),
        allowed_url_prefixes: fc.subarray([...policy.allowed_url_prefixes]),
        denied_url_prefixes: fc.subarray(prefixes).map((more) => [...policy.denied_url_prefixes, ...more]),
        greatest_freshness: seconds(policy.least_freshness, policy.greatest_freshness),
        unreachable_for: seconds(1, policy.unreachable_for),
        on_drift: onDrift(),
      },
      { noNullPrototype: true },
    )
    .map((parts) => ({
      ...policy,
      ...parts,
      on_drift: documentPolicy({
        on_drift: Object.fromEntries(
          driftKinds.map((kind) => [kind, moreSevere(policy.on_drift[kind], parts.on_drift[kind])]),
        ),
      }).on_drift,
    }))

type Action = (typeof driftActions)[number]

const moreSevere = (one: Action, other: Action): Action =>
  driftActions.indexOf(one) < driftActions.indexOf(other) ? other : one

/** A policy for documents, and one that permits nothing more. */
export const stricterPolicies = (): fc.Arbitrary<readonly [lax: DocumentPolicy, strict: DocumentPolicy]> =>
  anyDocumentPolicy().chain((lax) => stricter(lax).map((strict) => [lax, strict] as const))

/** The settings on which a document is judged, without restrictions of redirection URIs, members and algorithms. */
export const documentSettings = (policies: fc.Arbitrary<DocumentPolicy>): fc.Arbitrary<DocumentSettings> =>
  fc
    .record({
      mode: registrationMode(),
      metadata_documents: policies,
      scope: fc.option(fc.subarray([...scopeValues]), { nil: undefined }),
      ceilings: fc.oneof({ weight: 4, arbitrary: fc.constant(noPolicy.ceilings) }, ceilings()),
    })
    .map(({ mode, metadata_documents, scope, ceilings: both }) => ({
      mode,
      outboundFetches: true,
      policy: {
        ceilings: both,
        metadata_documents: scope === undefined ? metadata_documents : { ...metadata_documents, scope },
      },
    }))

/** What a response says about caching, true or not. */
export const cacheFacts = (): fc.Arbitrary<CacheFacts> =>
  fc.record(
    {
      max_age: fc.oneof(fc.nat(), fc.double()),
      s_maxage: fc.nat(),
      expires_in: fc.integer(),
      age: fc.oneof(fc.nat(), fc.double()),
      no_cache: fc.boolean(),
    },
    { requiredKeys: [], noNullPrototype: true },
  )

type Answer = Extract<SeenDocument, { readonly kind: 'answered' }>

/** The answer 200 with a JSON document. */
export const answeredWith = (body: unknown, at: EpochSeconds, cache: CacheFacts = {}): Answer => ({
  kind: 'answered',
  at,
  status: 200,
  media_type: 'application/json',
  body,
  statement: O.none,
  cache,
})

const secretAlgorithm = /^(?:HS\d+|dir|A\d+(?:GCM)?KW)$/

/** Whether the member names an algorithm that uses a client_secret. */
export const usesClientSecret = (name: string, value: unknown): boolean =>
  name.endsWith('_alg') && typeof value === 'string' && secretAlgorithm.test(value)

const isOfAuthentication = (name: string): boolean => name.startsWith('token_endpoint_auth')

/** The metadata of a client without a client_secret: a public one in place of one that has it. */
export const withoutSecrets = (body: SentMetadata): SentMetadata => {
  const { token_endpoint_auth_method: method } = body
  const isSecret = method === undefined || secretMethods.some((each) => each === method)
  const dropped = Object.keys(body).filter((name) => usesClientSecret(name, body[name]))
  const others = Object.entries(body).filter(
    ([name]) =>
      !dropped.includes(name) &&
      !dropped.includes(name.replace(/_enc$/, '_alg')) &&
      !(isSecret && isOfAuthentication(name)) &&
      name !== 'token_endpoint_auth_methods_supported',
  )
  return Object.fromEntries([...others, ...(isSecret ? [['token_endpoint_auth_method', 'none']] : [])])
}

const keys = fc.oneof(
  fc.constant({ token_endpoint_auth_method: 'none' }),
  fc
    .constantFrom('https://app.example/keys', 'https://app.example/more-keys', 'https://keys.example/')
    .map((jwks_uri) => ({ token_endpoint_auth_method: 'private_key_jwt', jwks_uri })),
  jsonWebKeySet(1).map((jwks) => ({ token_endpoint_auth_method: 'private_key_jwt', jwks })),
)

const redirects = [
  'https://app.example/callback',
  'https://app.example/other',
  'https://b.example/',
  'http://127.0.0.1/',
]

/** The members of a valid document but for client_id: few values, so that two are often equal or nearly so. */
export const documentMetadata = (): fc.Arbitrary<SentMetadata> =>
  fc
    .tuple(
      keys,
      fc.record(
        {
          client_name: fc.constantFrom('App', 'Another'),
          'client_name#fr': fc.constantFrom('Appli', 'Autre'),
          logo_uri: fc.constantFrom('https://app.example/logo', 'https://app.example/icon'),
          redirect_uris: fc.subarray(redirects, { minLength: 1 }),
          grant_types: fc.constantFrom(['authorization_code'], ['authorization_code', 'refresh_token', 'password']),
          scope: fc.constantFrom('openid', 'openid email', 'unknown'),
          dpop_bound_access_tokens: fc.boolean(),
        },
        { requiredKeys: ['redirect_uris'], noNullPrototype: true },
      ),
    )
    .map(([method, members]) => ({ ...members, ...method }))
