import * as t from 'io-ts'
import { ListOf, OneOf, StringThat } from '../codec/rule-codecs.js'
import { isSpaceDelimited } from '../codec/space-delimited.js'
import { CustomData } from './custom-data.js'
import { JsonWebKeySet } from './json-web-key-set.js'
import { httpsUriFault, uriFault, webUriFault } from './uri.js'

// Because control and format characters let one name pass for another, no text that people read has them.
const isText =
  (most: number) =>
  (text: string): boolean =>
    /\S/.test(text) && text.length <= most && text.isWellFormed() && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text)

const StringWithoutFault = (faultOf: typeof uriFault): t.Type<string, string> =>
  new t.Type(
    'uri',
    (input): input is string => typeof input === 'string' && faultOf(input) === undefined,
    (input, context) => {
      if (typeof input !== 'string') return t.failure(input, context, 'string')
      const rule = faultOf(input)
      return rule === undefined ? t.success(input) : t.failure(input, context, rule)
    },
    t.identity,
  )

const Text = StringThat('text', isText(200))
const Contact = StringThat('contact', isText(254))
const Uri = StringWithoutFault(uriFault)
const WebUri = StringWithoutFault(webUriFault)
const HttpsUri = StringWithoutFault(httpsUriFault)
const Scope = StringThat('scope', (text) => text.length <= 2048 && isSpaceDelimited(text))
const GrantType = StringThat('grant-type', (text) => /^[\x21\x23-\x5B\x5D-\x7E]{1,256}$/.test(text))

const ApplicationType = OneOf('application-type', { web: null, native: null })
const SubjectType = OneOf('subject-type', { public: null, pairwise: null })

// RFC 7591 §2, RFC 8705 §2, OpenID Core §9
const TokenEndpointAuthMethod = OneOf('auth-method', {
  none: null,
  client_secret_basic: null,
  client_secret_post: null,
  client_secret_jwt: null,
  private_key_jwt: null,
  tls_client_auth: null,
  self_signed_tls_client_auth: null,
})

// RFC 7518 §3.1, RFC 8037 §3.1
const SigningAlgorithm = OneOf('signing-algorithm', {
  none: null,
  EdDSA: null,
  HS256: null,
  HS384: null,
  HS512: null,
  RS256: null,
  RS384: null,
  RS512: null,
  PS256: null,
  PS384: null,
  PS512: null,
  ES256: null,
  ES384: null,
  ES512: null,
})

const isResponseType = (text: string): boolean => {
  const words = text.split(' ')
  return new Set(words).size === words.length && words.every((word) => ['code', 'id_token', 'token'].includes(word))
}

export const maximumEntries = 32
const maximumContacts = 10

/** The members of client metadata that are known, in the order in which faults are told: RFC 7591 §2, OpenID Registration §2. */
export const members = {
  redirect_uris: ListOf(Uri, maximumEntries),
  token_endpoint_auth_method: TokenEndpointAuthMethod,
  grant_types: ListOf(GrantType, maximumEntries),
  response_types: ListOf(StringThat('response-type', isResponseType), maximumEntries),
  application_type: ApplicationType,
  client_name: Text,
  client_uri: WebUri,
  logo_uri: WebUri,
  scope: Scope,
  contacts: ListOf(Contact, maximumContacts),
  tos_uri: WebUri,
  policy_uri: WebUri,
  jwks_uri: HttpsUri,
  jwks: JsonWebKeySet,
  software_id: Text,
  software_version: Text,
  subject_type: SubjectType,
  id_token_signed_response_alg: SigningAlgorithm,
  // OpenID RP-Initiated Logout §3.1
  post_logout_redirect_uris: ListOf(Uri, maximumEntries),
  data: CustomData,
}

export type MemberName = keyof typeof members

export const isMemberName = (name: string): name is MemberName => Object.hasOwn(members, name)

/** RFC 7591 §2.2: the members that may also come with a language tag, as in client_name#fr. */
export const humanReadableMembers = ['client_name', 'client_uri', 'logo_uri', 'tos_uri', 'policy_uri'] as const
