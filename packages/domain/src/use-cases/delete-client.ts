import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { actorOf } from '../audit/audit-entry.js'
import { neededPrivileges } from '../authorization/needed-privileges.js'
import { type ConfigurationRefusal, refusalWithoutClient, suspended } from '../registration/authorize-configuration.js'
import type { PresentedCredential, TokenHash } from '../authorization/credential.js'
import { ClientId } from '../client/client-id.js'
import type { InsufficientScope, Unavailable } from '../errors.js'
import type { ClientRegistry } from '../ports/client-registry.js'
import { type AuditPorts, type WithOrigin, audited } from './steps/audited.js'
import type { MakeTombstone } from './steps/tombstone.js'
import { type RecognizeOperatorPorts, type RequestOfActor, orAsOperator } from './steps/recognize-operator.js'

/** RFC 7592 §2.3 */
export type DeleteClientRequest = RequestOfActor & WithOrigin & { readonly clientId: string }

export type DeleteClientError = ConfigurationRefusal | InsufficientScope | Unavailable

/** Without a way to make one, a removal leaves no tombstone. */
export type DeleteClientPorts = Pick<ClientRegistry, 'removeClient'> &
  RecognizeOperatorPorts &
  AuditPorts & { readonly tombstone?: MakeTombstone }

const refused = (refusal: DeleteClientError): TE.TaskEither<DeleteClientError, void> => TE.left(refusal)

/** The token that must be the client's own; none for an operator, who removes any client. */
const requiredToken = (credential: PresentedCredential): O.Option<TokenHash> =>
  credential.kind === 'token' ? O.some(credential.hash) : O.none

/**
 * Removes the client and all that is recorded for it, in one step that decrypts nothing of it: the store compares the
 * token, so that unreadable clients are removed as well.
 */
export const deleteClient = (
  ports: DeleteClientPorts,
): ((request: DeleteClientRequest) => TE.TaskEither<DeleteClientError, void>) =>
  orAsOperator(
    ports,
    neededPrivileges['DELETE /clients/:id'],
  )((request: DeleteClientRequest) => {
    const { credential, clientId } = request
    const refusal = refusalWithoutClient(credential)
    if (!ClientId.is(clientId) || credential.kind === 'none' || credential.kind === 'unusable') return refused(refusal)
    const row = audited(ports, request, () => ({
      at: ports.now(),
      action: 'client_deleted',
      client_id: clientId,
      actor: actorOf(credential, 'registration_access_token'),
      members: [],
    }))
    return pipe(
      ports.removeClient(clientId, requiredToken(credential), ports.tombstone?.(clientId), row),
      TE.mapLeft((failure): DeleteClientError => {
        if (failure.error === 'client_suspended') return suspended
        return failure.error === 'unknown_client' ? refusal : failure
      }),
    )
  })
