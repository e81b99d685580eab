// The types of the values of client metadata.
import { valueThat } from '../kernel/faults.js'
import { type JsonObject, isJsonObject, isPlainObject, maxDepth } from '../kernel/json-object.js'
import { type ValueType, choiceType, isSpaceDelimited, judgedType, listType, textType } from '../kernel/values.js'
import { hasAtMost } from './keys.js'
import {
  fetchedUriFault,
  httpsUriFault,
  isHostName,
  isRefusedScheme,
  maxUriLength,
  notifiedUriFault,
  pageUriFault,
  redirectionUriFault,
  requestUriFault,
  uriFault,
  uriParts,
  webUriFault,
} from './uris.js'

const maxEntries = 32
/** Of redirection URIs: applications for many tenants have one for each. */
export const maxUris = 256
const maxTextLength = 200
const maxLongText = 1000
const maxContactLength = 254
const maxScopeLength = 2048
const maxStatementLength = 32_768

// Unicode UAX #31 §2.3, where the joiners U+200C and U+200D change how a word or a sign is shown:
// A1: between letters of the Arabic script, of which the first one would be joined to the second one
const arabicJoiner =
  /(?<=(?![\u0621-\u0625\u0627\u0629\u062F-\u0632\u0648\u0671-\u0673\u0675-\u0677\u0688-\u0699\u06C0\u06C3-\u06CB\u06CD\u06CF\u06D2\u06D3\u06D5])(?=\p{Script=Arabic})\p{L}\p{M}*)\u200C(?=(?=\p{Script=Arabic})(?!\u0621)\p{L})/gu
// A2, B: after the virama of an Indic script, which follows a letter
const indicJoiner =
  /(?<=\p{L}\p{M}*[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA])(?:\u200C(?=\p{L})|\u200D(?!\p{M}))/gu
// UTS #51, ED-16: between the signs of an emoji sequence
const emojiJoiner = /(?<=\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?)\u200D(?=\p{Extended_Pictographic})/gu

const joiners = [arabicJoiner, indicJoiner, emojiJoiner]

const withoutJoiners = (text: string): string =>
  /[\u200C\u200D]/.test(text) ? joiners.reduce((rest, joiner) => rest.replace(joiner, ''), text) : text

// Text for people contains no control and format characters, because they let one name pass for another. Look-alikes are
// found without regard to joiners. A character outside of the BMP has two code units.
export const isText =
  (most: number) =>
  (text: string): boolean =>
    text.length <= 2 * most &&
    Array.from(text).length <= most &&
    /\S/.test(text) &&
    text.isWellFormed() &&
    !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(withoutJoiners(text))

export const text = textType('text', { minLength: 1, maxLength: maxTextLength }, isText(maxTextLength))
export const longText = textType('long-text', { minLength: 1, maxLength: maxLongText }, isText(maxLongText))
export const texts = listType(text, maxEntries, 1)
/** RFC 4514: distinguished names of real certificates exceed the limit of texts for people. */
export const distinguishedName = textType(
  'distinguished-name',
  { minLength: 1, maxLength: maxUriLength },
  isText(maxUriLength),
)
export const emailAddress = textType('contact', { minLength: 1, maxLength: maxContactLength }, isText(maxContactLength))
export const contacts = listType(emailAddress, maxEntries)

const uriSchema = { format: 'uri', maxLength: maxUriLength }
export const uri = judgedType(uriSchema, uriFault)
// A URI to which other parties send the browser
export const launchUri = judgedType(
  uriSchema,
  (value) => uriFault(value) ?? (isRefusedScheme(uriParts(value).scheme) ? 'uri-scheme' : undefined),
)
export const webUri = judgedType(uriSchema, webUriFault)
/** A URI that pages of this service show. Who requests a picture leaves its fragment out (RFC 9110 §7.1). */
export const pageUri = judgedType(uriSchema, pageUriFault)
export const httpsUri = judgedType(uriSchema, httpsUriFault)
/** A URI that this service requests. */
export const fetchedUri = judgedType(uriSchema, fetchedUriFault)
/** A URI to which this service sends notices. */
export const notifiedUri = judgedType(uriSchema, notifiedUriFault)
export const redirectionUris = listType(judgedType(uriSchema, redirectionUriFault), maxUris)
// With # and the SHA-256 of the document
const requestUriSchema = { ...uriSchema, maxLength: maxUriLength + 44 }
export const requestUris = listType(judgedType(requestUriSchema, requestUriFault), maxEntries)
export const hostName = textType('host-name', { maxLength: 253 }, isHostName)

export const visible = /^[\x21\x23-\x5B\x5D-\x7E]{1,256}$/
export const grantTypes = listType(
  textType('grant-type', { pattern: visible.source }, (value) => visible.test(value)),
  maxEntries,
)
// RFC 6749 §4.3, §4.4, §6, RFC 7523, RFC 7522, RFC 8628, RFC 8693, CIBA: none of them redirects
const grantsWithoutRedirect: ReadonlySet<string> = new Set([
  'refresh_token',
  'password',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:ietf:params:oauth:grant-type:saml2-bearer',
  'urn:ietf:params:oauth:grant-type:device_code',
  'urn:ietf:params:oauth:grant-type:token-exchange',
  'urn:openid:params:grant-type:ciba',
])

// An unknown grant type may redirect; a client without grant types does not.
export const neverRedirects = (grantTypes: ReadonlyArray<string>): boolean =>
  grantTypes.every((grantType) => grantsWithoutRedirect.has(grantType))

const token = textType('token', { pattern: visible.source }, (value) => visible.test(value))
export const tokens = listType(token, maxEntries)
export const someTokens = listType(token, maxEntries, 1)
export const scope = textType(
  'scope',
  { maxLength: maxScopeLength },
  (value) => value.length <= maxScopeLength && isSpaceDelimited(value),
)

// OAuth 2.0 Multiple Response Types §4: none is not combined with other words
const isResponseType = (value: string): boolean => {
  if (value === 'none') return true
  const words = value.split(' ')
  return new Set(words).size === words.length && words.every((word) => ['code', 'id_token', 'token'].includes(word))
}

const words = '(?:code|id_token|token)'
/** The words may come in any order; the values are the response types of the provider metadata. */
export const responseTypes: ValueType<ReadonlyArray<string>> = {
  ...listType(
    textType('response-type', { pattern: `^(?:none|${words}(?: ${words}){0,2})$` }, isResponseType),
    maxEntries,
  ),
  values: ['code', 'token', 'id_token', 'id_token token', 'code id_token', 'code token', 'code id_token token', 'none'],
}
export const responseModes = listType(
  choiceType('response-mode', 'query', 'fragment', 'form_post', 'jwt', 'query.jwt', 'fragment.jwt', 'form_post.jwt'),
  maxEntries,
)

export const applicationType = choiceType('application-type', 'web', 'native')
export const subjectType = choiceType('subject-type', 'public', 'pairwise')
export const deliveryMode = choiceType('token-delivery-mode', 'poll', 'ping', 'push')
export const registrationTypes = listType(choiceType('registration-type', 'automatic', 'explicit'), maxEntries)

// RFC 7591 §2, RFC 8705 §2, OpenID Core §9
export const authMethod = choiceType(
  'auth-method',
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
  'private_key_jwt',
  'tls_client_auth',
  'self_signed_tls_client_auth',
  'none',
)

/** RFC 7515: three parts of base64url between dots. */
export const softwareStatement = textType(
  'software-statement',
  { maxLength: maxStatementLength },
  (value) => value.length <= maxStatementLength && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(value),
)

const isShort = hasAtMost(4096)

const is = (input: unknown): input is JsonObject =>
  isJsonObject(maxDepth)(input) && Object.values(input).every(isPlainObject) && isShort(JSON.stringify(input))

/** OpenID for Verifiable Presentations §11.1: an object for each credential format, by its name. */
export const credentialFormats: ValueType<JsonObject> = {
  codec: valueThat('credential-formats', is),
  schema: { type: 'object', additionalProperties: { type: 'object' } },
  values: [],
}
