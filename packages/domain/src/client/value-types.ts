// What members hold: each kind of value once.
import { isSpaceDelimited } from '../codec/space-delimited.js'
import { type ValueType, choiceType, judgedType, listType, textType } from '../codec/value-type.js'
import { isRefusedScheme } from './private-use-scheme.js'
import {
  fetchedUriFault,
  httpsUriFault,
  isHostName,
  maximumUriLength,
  requestUriFault,
  uriFault,
  uriParts,
  webUriFault,
} from './uri.js'

export const maximumEntries = 32
export const maximumContacts = 10
export const maximumTextLength = 200
const maxLongText = 1000
const maximumContactLength = 254
const maximumScopeLength = 2048
const maximumStatementLength = 32_768

// Because control and format characters let one name pass for another, no text that people read has them.
const isText =
  (most: number) =>
  (text: string): boolean =>
    text.length <= most && /\S/.test(text) && text.isWellFormed() && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text)

export const text = textType('text', { minLength: 1, maxLength: maximumTextLength }, isText(maximumTextLength))
export const longText = textType('long-text', { minLength: 1, maxLength: maxLongText }, isText(maxLongText))
export const texts = listType(text, maximumEntries, 1)
/** RFC 4514: of real certificates they are longer than what people read. */
export const distinguishedName = textType(
  'distinguished-name',
  { minLength: 1, maxLength: maximumUriLength },
  isText(maximumUriLength),
)
export const emailAddress = textType(
  'contact',
  { minLength: 1, maxLength: maximumContactLength },
  isText(maximumContactLength),
)
export const contacts = listType(emailAddress, maximumContacts)

const uriSchema = { format: 'uri', maxLength: maximumUriLength }
export const uri = judgedType(uriSchema, uriFault)
// Where a browser is sent by others than this service
export const launchUri = judgedType(
  uriSchema,
  (value) => uriFault(value) ?? (isRefusedScheme(uriParts(value).scheme) ? 'uri-scheme' : undefined),
)
export const webUri = judgedType(uriSchema, webUriFault)
export const httpsUri = judgedType(uriSchema, httpsUriFault)
/** Where this service itself sends requests. */
export const fetchedUri = judgedType(uriSchema, fetchedUriFault)
export const uris = listType(uri, maximumEntries)
// With # and the SHA-256 of what stands there
const requestUriSchema = { ...uriSchema, maxLength: maximumUriLength + 44 }
export const requestUris = listType(judgedType(requestUriSchema, requestUriFault), maximumEntries)
export const hostName = textType('host-name', { maxLength: 253 }, isHostName)

const visible = /^[\x21\x23-\x5B\x5D-\x7E]{1,256}$/
export const grantTypes = listType(
  textType('grant-type', { pattern: visible.source }, (value) => visible.test(value)),
  maximumEntries,
)
export const token = textType('token', { pattern: visible.source }, (value) => visible.test(value))
export const tokens = listType(token, maximumEntries)
export const someTokens = listType(token, maximumEntries, 1)
export const scope = textType(
  'scope',
  { maxLength: maximumScopeLength },
  (value) => value.length <= maximumScopeLength && isSpaceDelimited(value),
)

// OAuth 2.0 Multiple Response Types §4: none stands alone
const isResponseType = (value: string): boolean => {
  if (value === 'none') return true
  const words = value.split(' ')
  return new Set(words).size === words.length && words.every((word) => ['code', 'id_token', 'token'].includes(word))
}

const words = '(?:code|id_token|token)'
/** In any order of their words; the values are the response types that the metadata of the provider lists. */
export const responseTypes: ValueType<ReadonlyArray<string>> = {
  ...listType(
    textType('response-type', { pattern: `^(?:none|${words}(?: ${words}){0,2})$` }, isResponseType),
    maximumEntries,
  ),
  values: ['code', 'token', 'id_token', 'id_token token', 'code id_token', 'code token', 'code id_token token', 'none'],
}
export const responseModes = listType(
  choiceType('response-mode', 'query', 'fragment', 'form_post', 'jwt', 'query.jwt', 'fragment.jwt', 'form_post.jwt'),
  maximumEntries,
)

export const applicationType = choiceType('application-type', 'web', 'native')
export const subjectType = choiceType('subject-type', 'public', 'pairwise')
export const deliveryMode = choiceType('token-delivery-mode', 'poll', 'ping', 'push')
export const registrationTypes = listType(choiceType('registration-type', 'automatic', 'explicit'), maximumEntries)

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
  { maxLength: maximumStatementLength },
  (value) => value.length <= maximumStatementLength && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(value),
)
