// Who vouches for an application. RFC 7591 §2.3: a statement is stored only if an issuer that the operator trusts signed it.
import * as E from 'fp-ts/lib/Either.js'
import { isDocumented } from '../client/client-id.js'
import { isHostName, uriParts } from '../client/uri.js'
import { isBase64url, octetsOf } from '../codec/base64url.js'
import { type JsonObject, isParsedObject, ownMember } from '../codec/json-object.js'
import { parseWellFormedJson } from '../json/well-formed-json.js'
import type { ConsentRequest, Identity } from './consent-facts.js'

// An octet as a character: what is read of the claims is ASCII.
const textOf = (base64url: string): string =>
  octetsOf(base64url)
    .map((octet) => String.fromCharCode(octet))
    .join('')

/** RFC 7519 §7.2: the claims of a JWT that was verified when it came. */
const claimsOf = (jwt: string): JsonObject => {
  const [, payload = ''] = jwt.split('.')
  const parsed = isBase64url(payload) ? parseWellFormedJson(textOf(payload)) : E.right(undefined)
  return E.isRight(parsed) && isParsedObject(parsed.right) ? parsed.right : {}
}

const hostOfIssuer = (issuer: unknown): string | undefined => {
  if (typeof issuer !== 'string') return undefined
  const { scheme, host } = uriParts(issuer)
  const name = scheme === 'https' ? host : issuer
  return isHostName(name) ? name : undefined
}

// The issuer vouches only for what its statement holds: without the name, or without this URI, it says nothing here.
const issuerOf = ({ client: { metadata }, redirectUri }: ConsentRequest): string | undefined => {
  if (metadata.software_statement === undefined) return undefined
  const claims = claimsOf(metadata.software_statement)
  const uris = ownMember(claims, 'redirect_uris')
  const vouches =
    typeof ownMember(claims, 'client_name') === 'string' && Array.isArray(uris) && uris.includes(redirectUri)
  return vouches ? hostOfIssuer(ownMember(claims, 'iss')) : undefined
}

// draft-ietf-oauth-client-id-metadata-document-02 §8.5: the document has the name and the redirection URI.
const hostOfDocument = ({ client }: ConsentRequest): string | undefined =>
  isDocumented(client) ? uriParts(client.client_id).host : undefined

export const identityOf = (request: ConsentRequest): Identity => {
  const host = hostOfDocument(request) ?? issuerOf(request)
  return host === undefined ? { kind: 'claimed' } : { kind: 'verified', host }
}
