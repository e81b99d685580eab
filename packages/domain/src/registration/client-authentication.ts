// RFC 6749 §2.3: the authentication of a client in a request to the provider.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { EpochSeconds } from '../kernel/time.js'
import { withdrawalOf } from '../life-cycle/states.js'
import { isExpired, secretsInForce } from './client-secrets.js'
import type { RegisteredClient } from './registered-client.js'

/**
 * OpenID Core §9: the methods that this service verifies; the provider verifies the methods without a client_secret.
 */
export type PresentedMethod = 'client_secret_basic' | 'client_secret_post' | 'none'

/** RFC 6749 §5.2. The reason is for the log: the client receives the code alone. */
export type InvalidClient = {
  readonly error: 'invalid_client'
  readonly reason: 'unknown_client' | 'suspended_client' | 'another_method' | 'wrong_secret' | 'expired_secret'
}

/** The client has no approval: another error, because applications register anew at invalid_client. */
export type UnapprovedClient = {
  readonly error: 'access_denied'
  readonly reason: 'pending_client' | 'refused_client'
}

type ClientAuthenticationFacts = {
  /** The client that the request names, if registered. */
  readonly client: O.Option<RegisteredClient>
  readonly method: PresentedMethod
  /** Whether the request presents this client_secret. */
  readonly presents: (client_secret: string) => boolean
}

const invalidClient = (reason: InvalidClient['reason']): E.Either<InvalidClient, never> =>
  E.left({ error: 'invalid_client', reason })

/** The client, if it authenticates by its registered method. A public client is identified, not authenticated. */
export const decideClientAuthentication =
  (at: EpochSeconds) =>
  ({
    client,
    method,
    presents,
  }: ClientAuthenticationFacts): E.Either<InvalidClient | UnapprovedClient, RegisteredClient> => {
    if (O.isNone(client)) return invalidClient('unknown_client')
    const withdrawal = withdrawalOf(client.value)
    if (withdrawal === 'suspended') return invalidClient('suspended_client')
    if (withdrawal !== undefined) return E.left({ error: 'access_denied', reason: `${withdrawal}_client` })
    // RFC 7591 §2: a client uses only the method of its metadata.
    if (client.value.metadata.token_endpoint_auth_method !== method) return invalidClient('another_method')
    if (method === 'none') return E.right(client.value)
    if (secretsInForce(client.value, at).some(presents)) return E.right(client.value)
    // RFC 7591 §3.2.1: client_secret_expires_at
    const { secret } = client.value
    const isOfExpired = secret !== undefined && isExpired(secret, at) && presents(secret.client_secret)
    return invalidClient(isOfExpired ? 'expired_secret' : 'wrong_secret')
  }
