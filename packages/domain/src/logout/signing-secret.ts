// The client whose client_secret must have signed a hint: OpenID Core §10.1, for HS256, HS384 and HS512.
import { isSymmetricSignature, neededSecretLength } from '../client/algorithms.js'
import { ClientId } from '../client/client-id.js'
import type { RegisteredClient } from '../registration/registered-client.js'
import type { UnverifiedHint } from './id-token-hint.js'

// OpenID Core §10.1: the audience is the client alone, since no other party knows its secret.
/** The client that an unverified hint names. */
export const clientOfUnverified = ({ alg, claims: { aud } }: UnverifiedHint): ClientId | undefined => {
  const [client, ...more]: ReadonlyArray<unknown> = [aud].flat()
  return isSymmetricSignature(alg) && more.length === 0 && ClientId.is(client) ? client : undefined
}

/**
 * The secret of a client whose tokens are signed with it by the algorithm. An expired one counts: the client knows no
 * other.
 */
export const signingSecret = (
  alg: string,
  { metadata, secret }: Pick<RegisteredClient, 'metadata' | 'secret'>,
): string | undefined =>
  isSymmetricSignature(alg) &&
  metadata.id_token_signed_response_alg === alg &&
  secret !== undefined &&
  secret.client_secret.length >= neededSecretLength(alg)
    ? secret.client_secret
    : undefined
