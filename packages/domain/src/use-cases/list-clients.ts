import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { authorizeMaster } from '../authorization/authorize-master.js'
import type { PresentedCredential } from '../authorization/presented-credential.js'
import type { ClientInformation } from '../client/client-information.js'
import { clientInformation } from '../client/client-information.js'
import type { RegisteredClient } from '../client/registered-client.js'
import type { InvalidToken, MissingToken } from '../errors.js'
import type { ClientRegistry } from '../ports/client-registry.js'
import type { RegistrationSettings } from '../registration-settings.js'

export type ListClientsRequest = { readonly credential: PresentedCredential }

export type ListClientsError = MissingToken | InvalidToken

/** The clients as a stream, and what is told of each; a Left in the stream is a client that cannot be read, or the end. */
export type ClientList = {
  readonly clients: ReturnType<ClientRegistry['streamClients']>
  readonly informationOf: (client: RegisteredClient) => ClientInformation
}

export const listClients =
  (settings: Pick<RegistrationSettings, 'registrationEndpoint'>, ports: Pick<ClientRegistry, 'streamClients'>) =>
  (request: ListClientsRequest): E.Either<ListClientsError, ClientList> =>
    pipe(
      authorizeMaster(request.credential),
      E.map(() => ({
        clients: ports.streamClients(),
        informationOf: clientInformation(settings.registrationEndpoint),
      })),
    )
