import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { PresentedCredential } from '../../authorization/presented-credential.js'
import { ClientId } from '../../client/client-id.js'
import type { RegisteredClient } from '../../client/registered-client.js'
import type { Unavailable } from '../../errors.js'
import type { ClientRegistry } from '../../ports/client-registry.js'

/** The client that a path names; what cannot be an identifier, or is asked for without a credential, is not looked up. */
export const findNamedClient =
  (ports: Pick<ClientRegistry, 'findClient'>) =>
  (request: {
    readonly credential: PresentedCredential
    readonly clientId: string
  }): TE.TaskEither<Unavailable, O.Option<RegisteredClient>> =>
    ClientId.is(request.clientId) && ['master', 'token'].includes(request.credential.kind)
      ? ports.findClient(request.clientId)
      : TE.right(O.none)
