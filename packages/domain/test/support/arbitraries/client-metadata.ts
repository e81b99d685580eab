import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { parseWellFormedJson } from '../../../src/codec/well-formed-json.js'
import { grantTypes } from './privileges.js'
import { httpsUri, implicitRedirectUri, nativeRedirectUri, webRedirectUri, webUri } from './redirect-uri.js'
import { scopeToken } from './registration-scope.js'

/** A body as a client sends it. */
export type SentMetadata = Readonly<Record<string, unknown>>

export const secretMethods = ['client_secret_basic', 'client_secret_post', 'client_secret_jwt'] as const
export const secretlessMethods = ['private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth'] as const
const asymmetricAlgorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
const symmetricAlgorithms = ['HS256', 'HS384', 'HS512']
const implicitResponseTypes = ['token', 'id_token', 'id_token token', 'token id_token']
const hybridResponseTypes = ['code id_token', 'token code', 'code token id_token']

const isVisible = (made: string): boolean => /\S/.test(made) && !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(made)

/** What people read, of any script. */
export const humanReadableText = (): fc.Arbitrary<string> =>
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((made) => made.length <= 200 && isVisible(made))

export const languageTag = (): fc.Arbitrary<string> =>
  fc.constantFrom('fr', 'de-AT', 'ja-Jpan-JP', 'zh-Hant', 'sl-rozaj-biske', 'x-private')

/** Any JSON object that custom data may be. */
export const customData = (): fc.Arbitrary<SentMetadata> =>
  fc
    .dictionary(fc.string({ unit: 'grapheme', maxLength: 8 }), fc.jsonValue({ maxDepth: 3 }), {
      maxKeys: 4,
      noNullPrototype: true,
    })
    .filter((made) => E.isRight(parseWellFormedJson(JSON.stringify(made))))

const publicKey = (): fc.Arbitrary<SentMetadata> =>
  fc.constantFrom<SentMetadata>(
    { kty: 'RSA', n: 'sXchTNWRF', e: 'AQAB', kid: 'one' },
    { kty: 'EC', crv: 'P-256', x: 'f83OJ3D2xF1Bg8vub', y: 'x_FEzRu9m36HLN_tue659' },
    { kty: 'a-type-of-tomorrow', pub: 'AA' },
  )

export const jsonWebKeySet = (): fc.Arbitrary<SentMetadata> =>
  fc.array(publicKey(), { maxLength: 3 }).map((keys) => ({ keys }))

const list = (entry: fc.Arbitrary<string>, minLength: number, maxLength = 3): fc.Arbitrary<ReadonlyArray<string>> =>
  fc.uniqueArray(entry, { minLength, maxLength })

/** Some of the members, or none. */
const someOf = (members: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<SentMetadata> =>
  fc.record(members, { requiredKeys: [], noNullPrototype: true })

const allOf = (members: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<SentMetadata> =>
  fc.record(members, { noNullPrototype: true })

const together = (...parts: ReadonlyArray<fc.Arbitrary<SentMetadata>>): fc.Arbitrary<SentMetadata> =>
  fc.tuple(...parts).map((made) => Object.fromEntries(made.flatMap((part) => Object.entries(part))))

type Kind = { readonly application: 'web' | 'native' | undefined; readonly grants: ReadonlyArray<string> | undefined }

const kind = (): fc.Arbitrary<Kind> =>
  fc.record({
    application: fc.constantFrom('web' as const, 'native' as const, undefined),
    grants: fc.option(fc.shuffledSubarray([...grantTypes]), { nil: undefined, freq: 4 }),
  })

const chosenKind = ({ application, grants }: Kind): SentMetadata => ({
  ...(application === undefined ? {} : { application_type: application }),
  ...(grants === undefined ? {} : { grant_types: grants }),
})

const [nativeUri, anyWebUri, implicitUri] = [nativeRedirectUri(), webRedirectUri(), implicitRedirectUri()]

const redirects = ({ application, grants = ['authorization_code'] }: Kind): fc.Arbitrary<SentMetadata> => {
  const plain = application === 'native' ? nativeUri : anyWebUri
  const implicit = grants.includes('implicit')
  const uri = implicit && application !== 'native' ? implicitUri : plain
  const needed = implicit || grants.includes('authorization_code')
  return together(
    needed ? allOf({ redirect_uris: list(uri, 1) }) : someOf({ redirect_uris: list(uri, 0) }),
    someOf({ post_logout_redirect_uris: list(plain, 0) }),
  )
}

const responses = ({ grants = ['authorization_code'] }: Kind): fc.Arbitrary<SentMetadata> => {
  const [code, implicit] = [grants.includes('authorization_code'), grants.includes('implicit')]
  const possible = [
    ...(code ? ['code'] : []),
    ...(implicit ? implicitResponseTypes : []),
    ...(code && implicit ? hybridResponseTypes : []),
  ]
  if (possible.length === 0) return someOf({ response_types: fc.constant([]) })
  const chosen = fc.shuffledSubarray(possible, { minLength: 1 })
  return code ? someOf({ response_types: chosen }) : allOf({ response_types: chosen })
}

const authentication = (): fc.Arbitrary<SentMetadata> =>
  fc.oneof(
    someOf({
      token_endpoint_auth_method: fc.constant('none'),
      id_token_signed_response_alg: fc.constantFrom(...asymmetricAlgorithms),
    }),
    allOf({
      token_endpoint_auth_method: fc.constantFrom(...secretMethods, ...secretlessMethods),
      id_token_signed_response_alg: fc.constantFrom(...asymmetricAlgorithms, ...symmetricAlgorithms),
    }),
  )

const keys = (): fc.Arbitrary<SentMetadata> =>
  fc.oneof(someOf({ jwks: jsonWebKeySet() }), someOf({ jwks_uri: httpsUri() }))

const descriptions = (): fc.Arbitrary<SentMetadata> =>
  someOf({
    client_name: humanReadableText(),
    client_uri: webUri(),
    logo_uri: webUri(),
    tos_uri: webUri(),
    policy_uri: webUri(),
    contacts: list(humanReadableText(), 0, 4),
    scope: fc.array(scopeToken(), { minLength: 1, maxLength: 4 }).map((values) => values.join(' ')),
    software_id: humanReadableText(),
    software_version: humanReadableText(),
    subject_type: fc.constantFrom('public', 'pairwise'),
    data: customData(),
  })

const variants = (): fc.Arbitrary<SentMetadata> =>
  fc
    .tuple(languageTag(), languageTag(), humanReadableText(), webUri(), fc.boolean())
    .map(([one, other, name, uri, sent]) => (sent ? { [`client_name#${one}`]: name, [`tos_uri#${other}`]: uri } : {}))

// OpenID Registration §2: an unsigned ID token never passes through the browser
const mayBeUnsigned = ({ response_types }: SentMetadata): boolean =>
  !Array.isArray(response_types) || response_types.every((type) => type === 'code')

const unsigned = (made: SentMetadata): fc.Arbitrary<SentMetadata> =>
  mayBeUnsigned(made)
    ? fc.constantFrom(made, made, made, { ...made, id_token_signed_response_alg: 'none' })
    : fc.constant(made)

const ofItsKind = (): fc.Arbitrary<SentMetadata> =>
  kind().chain((chosen) => together(fc.constant(chosenKind(chosen)), redirects(chosen), responses(chosen)))

/** Client metadata without a fault, web and native, of any members. */
export const validClientMetadata = (): fc.Arbitrary<SentMetadata> =>
  together(ofItsKind(), authentication(), keys(), descriptions(), variants()).chain(unsigned)
