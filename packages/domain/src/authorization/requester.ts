import type { RegisteredBy } from './authorize-registrant.js'
import type { PresentedCredential } from './presented-credential.js'
import type { TokenHash } from './token-hash.js'

/** For whom the service reaches out: each requester may take only a few of its places. */
export type Requester =
  | { readonly kind: 'master' }
  | { readonly kind: 'token'; readonly hash: TokenHash }
  | { readonly kind: 'nobody'; readonly address: string | undefined }

/**
 * A token tells its holder from others only where it is not given to anybody: the one of a client that was registered by nobody
 * counts for the address that the request came from.
 */
export const requesterOf = (
  credential: PresentedCredential,
  registeredBy: RegisteredBy,
  address: string | undefined,
): Requester => {
  if (credential.kind === 'master') return credential
  return credential.kind === 'token' && registeredBy !== 'nobody' ? credential : { kind: 'nobody', address }
}
