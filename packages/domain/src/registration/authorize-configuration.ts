import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import { opensClient } from './preceding-token.js'
import type { RegisteredClient } from './registered-client.js'
import {
  type InsufficientScope,
  type InvalidToken,
  type MissingToken,
  type UnknownClient,
  invalidToken,
  missingToken,
  unknownClient,
  unusableToken,
} from '../errors.js'
import { answerAt, isSuspended, withdrawnTexts } from '../life-cycle/doors.js'
import { type PresentedCredential, isOperators } from '../authorization/credential.js'
import { type Privileges, allPrivileges } from '../authorization/privileges.js'

/** A client that the credential may read, update and delete, and the privileges that its update may add. */
export type AuthorizedClient = { readonly client: RegisteredClient; readonly granted: Privileges }

export type ConfigurationRefusal = MissingToken | InvalidToken | InsufficientScope | UnknownClient

const tokenOfClient = missingToken(
  'This needs the registration access token of the client, or the token of an operator',
)

// RFC 7592 §2: without the token of an operator an unknown client is 401, as is a client of another token.
/** The refusal where the credential authorizes no client. */
export const refusalWithoutClient = ({ kind }: PresentedCredential): ConfigurationRefusal => {
  switch (kind) {
    case 'none':
      return tokenOfClient
    case 'store':
    case 'master':
    case 'operator_token':
      return unknownClient
    case 'unusable':
      return unusableToken
    case 'token':
      return invalidToken
  }
}

const opens = (credential: PresentedCredential, client: RegisteredClient, at: EpochSeconds): boolean =>
  isOperators(credential) || (credential.kind === 'token' && opensClient(client, credential.hash, at))

/** RFC 7592 §2.1 to §2.3: the client has no permission to read, update or delete its record. The operator has. */
export const suspended: InsufficientScope = {
  error: 'insufficient_scope',
  error_description: withdrawnTexts.suspended,
}

const isForbidden = (credential: PresentedCredential, client: Pick<RegisteredClient, 'suspended_at'>): boolean =>
  !isOperators(credential) && isSuspended(client) && answerAt('configuration', 'suspended') === 'forbidden'

export const authorizeConfiguration = (
  credential: PresentedCredential,
  found: O.Option<RegisteredClient>,
  at: EpochSeconds,
): E.Either<ConfigurationRefusal, AuthorizedClient> => {
  if (O.isNone(found) || !opens(credential, found.value, at)) return E.left(refusalWithoutClient(credential))
  const client = found.value
  if (isForbidden(credential, client)) return E.left(suspended)
  return E.right({ client, granted: isOperators(credential) ? allPrivileges : client.privileges })
}
