import type * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { authorizeConfiguration } from '../authorization/authorize-configuration.js'
import type { PresentedCredential } from '../authorization/presented-credential.js'
import type { InvalidToken, MissingToken, Unavailable, UnknownClient } from '../errors.js'
import type { ClientRegistry } from '../ports/client-registry.js'
import { findNamedClient } from './steps/find-named-client.js'
import { andDecide, andThen } from './steps/and-then.js'
import { againWhenChanged } from './steps/again-when-changed.js'

/** RFC 7592 §2.3 */
export type DeleteClientRequest = { readonly credential: PresentedCredential; readonly clientId: string }

export type DeleteClientError = MissingToken | InvalidToken | UnknownClient | Unavailable

export type DeleteClientPorts = Pick<ClientRegistry, 'findClient' | 'removeClient'>

/** The client goes, and all that is recorded for it goes in the same step. */
export const deleteClient =
  (ports: DeleteClientPorts) =>
  (request: DeleteClientRequest): TE.TaskEither<DeleteClientError, void> =>
    againWhenChanged(
      pipe(
        findNamedClient(ports)(request),
        andDecide((found) => authorizeConfiguration(request.credential, found)),
        andThen(({ client }) => ports.removeClient(client)),
      ),
    )
