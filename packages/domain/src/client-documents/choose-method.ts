// OpenID RP Metadata Choices §2, draft-ietf-oauth-client-id-metadata-document-02 §4.1 and §8.2: a document is written for
// all services; it may offer several authentication methods, of which this one takes the best that it supports.
import { authMethod } from '../client/value-types.js'
import { ownMember } from '../codec/json-object.js'
import { type JudgingSettings, ruleBook } from '../registration/registration-settings.js'

type Document = Readonly<Record<string, unknown>>

export const isSecretMethod = (method: unknown): boolean =>
  typeof method === 'string' && method.startsWith('client_secret_')

/** The methods without a client_secret, the best first. */
const methods = ['private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth', 'none']

const supportedMethods = ({ policy, abilities }: JudgingSettings): ReadonlyArray<string> => {
  const declared = ownMember(abilities?.providerMetadata ?? {}, 'token_endpoint_auth_methods_supported')
  const allowed = policy.allowed_token_endpoint_auth_methods ?? authMethod.values
  return allowed.filter((method) => !Array.isArray(declared) || declared.includes(method))
}

const listed = (document: Document): ReadonlyArray<unknown> | undefined => {
  const list = ownMember(document, 'token_endpoint_auth_methods_supported')
  return Array.isArray(list) ? list : undefined
}

/** The document with one method: its own where it is usable, or else the best usable one of its list. */
export const chooseMethod = (settings: JudgingSettings): ((document: Document) => Document) => {
  const supported = supportedMethods(settings)
  const { isSupported } = ruleBook(settings)
  const isUsable = (document: Document) => (method: unknown) => {
    if (typeof method !== 'string' || !supported.includes(method)) return false
    if (method !== 'private_key_jwt') return true
    const algorithm = ownMember(document, 'token_endpoint_auth_signing_alg')
    const hasKeys = ['jwks', 'jwks_uri', 'signed_jwks_uri'].some((name) => ownMember(document, name) !== undefined)
    return hasKeys && (typeof algorithm !== 'string' || isSupported('token_endpoint_auth_signing_alg', algorithm))
  }
  return (document) => {
    const own = ownMember(document, 'token_endpoint_auth_method')
    const list = listed(document)
    // RFC 7591 §2 has client_secret_basic as default, which no document may have.
    if (list === undefined) return own === undefined ? { ...document, token_endpoint_auth_method: 'none' } : document
    const isOfUse = isUsable(document)
    if (isSecretMethod(own) || isOfUse(own)) return document
    const best = methods.find((method) => list.includes(method) && isOfUse(method))
    if (best === undefined) return document
    // OpenID Registration §2: it is the algorithm of private_key_jwt alone
    const { token_endpoint_auth_signing_alg, ...others } = document
    const algorithm = best === 'private_key_jwt' ? { token_endpoint_auth_signing_alg } : {}
    return { ...others, ...algorithm, token_endpoint_auth_method: best }
  }
}
