import type { RegisteredBy } from './authorize-registrant.js'
import type { PresentedCredential } from './presented-credential.js'
import type { TokenHash } from './token-hash.js'

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
