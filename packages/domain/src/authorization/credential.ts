import * as t from 'io-ts'

export interface TokenHashBrand {
  readonly TokenHash: unique symbol
}

/**
 * The keyed digest of a token, base64url. Presented tokens are found and compared by it; the domain never sees a token.
 */
export const TokenHash = t.brand(
  t.string,
  (text): text is t.Branded<string, TokenHashBrand> => /^[A-Za-z0-9_-]{16,128}$/.test(text),
  'TokenHash',
)

export type TokenHash = t.TypeOf<typeof TokenHash>

/** The credential of a request (RFC 6750 §2.1). Adapters hash tokens; the master token is recognized by its hash. */
export type PresentedCredential =
  | { readonly kind: 'none' }
  | { readonly kind: 'unusable' }
  | { readonly kind: 'master' }
  | { readonly kind: 'token'; readonly hash: TokenHash }

export const presentedToken =
  (masterToken: TokenHash) =>
  (hash: TokenHash): PresentedCredential =>
    hash === masterToken ? { kind: 'master' } : { kind: 'token', hash }

/** The authority for a registration: none, an initial access token, or the operator. */
export const RegisteredBy = t.union([t.literal('nobody'), t.literal('token'), t.literal('master')], 'RegisteredBy')
export type RegisteredBy = t.TypeOf<typeof RegisteredBy>

/** The party for which the service sends a request to others. Each requester may have only a few of these under way. */
export type Requester =
  | { readonly kind: 'master' }
  | { readonly kind: 'token'; readonly hash: TokenHash }
  | { readonly kind: 'nobody'; readonly address: string | undefined }

/**
 * The token of a client with an open registration does not identify a requester, because any party can get one: the
 * address of the request does.
 */
export const requesterOf = (
  credential: PresentedCredential,
  registeredBy: RegisteredBy,
  address: string | undefined,
): Requester => {
  if (credential.kind === 'master') return credential
  return credential.kind === 'token' && registeredBy !== 'nobody' ? credential : { kind: 'nobody', address }
}
