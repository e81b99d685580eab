import * as t from 'io-ts'
import { RegisteredBy } from '../client/ids.js'
import type { ManagementPrivileges } from './management.js'

export { RegisteredBy }

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

/** The keyed digest of a token, or of a text that begins with what it is for. */
export type HashText = (text: string) => TokenHash

/**
 * The credential of a request (RFC 6750 §2.1). Adapters hash tokens; a master token is recognized by its hash, and an
 * operator token by the store. `store` is the operator of the machine, whom file permissions recognize.
 */
export type PresentedCredential =
  | { readonly kind: 'none' }
  | { readonly kind: 'unusable' }
  | { readonly kind: 'store' }
  | { readonly kind: 'master'; readonly hash?: TokenHash }
  | {
      readonly kind: 'operator_token'
      readonly hash: TokenHash
      readonly privileges: ManagementPrivileges
      readonly name?: string
    }
  | { readonly kind: 'token'; readonly hash: TokenHash }

/** One or several master tokens may count at once, so that one can be changed without downtime. */
export const presentedToken =
  (...masterTokens: ReadonlyArray<TokenHash>) =>
  (hash: TokenHash): PresentedCredential =>
    masterTokens.includes(hash) ? { kind: 'master', hash } : { kind: 'token', hash }

/** Whether an operator presents the credential; its privileges are another question. */
export const isOperators = (
  credential: PresentedCredential,
): credential is Extract<PresentedCredential, { readonly kind: 'master' | 'store' | 'operator_token' }> =>
  credential.kind === 'master' || credential.kind === 'store' || credential.kind === 'operator_token'

/**
 * Whether the credential may make clients that register others: with the access tokens of such a client its owner does
 * what the privilege `tokens` permits.
 */
export const permitsDelegation = (credential: PresentedCredential): boolean =>
  credential.kind === 'operator_token' ? credential.privileges.includes('tokens') : isOperators(credential)

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
  if (isOperators(credential)) return { kind: 'master' }
  return credential.kind === 'token' && registeredBy !== 'nobody' ? credential : { kind: 'nobody', address }
}
