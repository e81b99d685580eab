import * as fc from 'fast-check'
import { type SentMetadata, allOf, humanReadableText, jsonWebKeySet, someOf, together } from './json-values.js'
import { httpsUri } from './uris.js'

export const secretMethods = ['client_secret_basic', 'client_secret_post', 'client_secret_jwt'] as const
export const secretlessMethods = ['private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth'] as const

const asymmetric = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
// A client_secret of 43 characters, the default, is too short for the longer ones.
const symmetric = ['HS256']
const forKeys = ['RSA-OAEP', 'RSA-OAEP-256', 'ECDH-ES', 'ECDH-ES+A256KW']
const forSecrets = ['dir', 'A128KW', 'A256GCMKW']
const contentEncryptions = ['A128CBC-HS256', 'A256CBC-HS512', 'A256GCM']

// Shrinks to the first alternative, so that counterexamples are minimal.
const toFirst = { withCrossShrink: true }

const keys = (): fc.Arbitrary<SentMetadata> =>
  fc.oneof(toFirst, allOf({ jwks_uri: httpsUri() }), allOf({ jwks: jsonWebKeySet(1) }))

const signatures = (algorithms: ReadonlyArray<string>): fc.Arbitrary<SentMetadata> => {
  const algorithm = fc.constantFrom(...algorithms)
  return someOf({
    id_token_signed_response_alg: algorithm,
    userinfo_signed_response_alg: algorithm,
    authorization_signed_response_alg: algorithm,
    introspection_signed_response_alg: algorithm,
    nfv_token_signed_response_alg: algorithm,
  })
}

const encrypted = (name: string, algorithms: ReadonlyArray<string>): fc.Arbitrary<SentMetadata> => {
  const alg = { [`${name}_alg`]: fc.constantFrom(...algorithms) }
  return fc.oneof(
    toFirst,
    { weight: 3, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: allOf(alg) },
    { weight: 1, arbitrary: allOf({ ...alg, [`${name}_enc`]: fc.constantFrom(...contentEncryptions) }) },
  )
}

const encryptions = (algorithms: ReadonlyArray<string>): fc.Arbitrary<SentMetadata> =>
  together(
    encrypted('id_token_encrypted_response', algorithms),
    encrypted('userinfo_encrypted_response', algorithms),
    encrypted('authorization_encrypted_response', algorithms),
    encrypted('introspection_encrypted_response', algorithms),
    encrypted('nfv_token_encrypted_response', algorithms),
    encrypted('request_object_encryption', algorithms),
  )

const requests = (algorithms: ReadonlyArray<string>): fc.Arbitrary<SentMetadata> =>
  someOf({
    request_object_signing_alg: fc.constantFrom(...algorithms),
    backchannel_authentication_request_signing_alg: fc.constantFrom(...asymmetric),
  })

const publicClient = (): fc.Arbitrary<SentMetadata> =>
  together(fc.constant({ token_endpoint_auth_method: 'none' }), signatures(asymmetric))

// Made once for each method, because a chain makes its arbitraries for each value.
const byMethod = <Method>(
  methods: ReadonlyArray<Method>,
  made: (method: Method) => fc.Arbitrary<SentMetadata>,
): fc.Arbitrary<SentMetadata> => fc.oneof(toFirst, ...methods.map(made))

const withSecret = (): fc.Arbitrary<SentMetadata> =>
  byMethod([undefined, ...secretMethods], (method) =>
    together(
      fc.constant(method === undefined ? {} : { token_endpoint_auth_method: method }),
      method === 'client_secret_jwt'
        ? someOf({ token_endpoint_auth_signing_alg: fc.constantFrom(...symmetric) })
        : fc.constant({}),
      signatures([...asymmetric, ...symmetric]),
      encryptions(forSecrets),
      someOf({ request_object_signing_alg: fc.constantFrom(...symmetric, 'none') }),
    ),
  )

const certificate = (): fc.Arbitrary<SentMetadata> =>
  fc.oneof(
    allOf({ tls_client_auth_subject_dn: humanReadableText() }),
    allOf({ tls_client_auth_san_dns: fc.constant('rp.example') }),
    allOf({ tls_client_auth_san_uri: fc.constantFrom('https://rp.example/', 'urn:rp:1') }),
    allOf({
      tls_client_auth_san_ip: fc.oneof(
        fc.ipV4(),
        fc.ipV6().filter((ip) => !ip.includes('.')),
      ),
    }),
    allOf({ tls_client_auth_san_email: fc.constant('ops@rp.example') }),
  )

const withKeys = (): fc.Arbitrary<SentMetadata> =>
  byMethod(secretlessMethods, (method) =>
    together(
      fc.constant({ token_endpoint_auth_method: method }),
      method === 'private_key_jwt'
        ? someOf({ token_endpoint_auth_signing_alg: fc.constantFrom(...asymmetric) })
        : fc.constant({}),
      method === 'tls_client_auth' ? certificate() : fc.constant({}),
      signatures([...asymmetric, ...symmetric]),
      encryptions(forKeys),
      requests(asymmetric),
      keys(),
    ),
  )

/** The authentication of a client, with its keys, secrets and algorithms. */
export const authentication = (): fc.Arbitrary<SentMetadata> =>
  fc.oneof(toFirst, publicClient(), withSecret(), withKeys())
