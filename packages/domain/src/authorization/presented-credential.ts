import type { TokenHash } from './token-hash.js'

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
