import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { MasterRefusal } from '../authorization/authorize-master.js'
import type { PresentedCredential } from '../authorization/presented-credential.js'
import type { ClientInformation } from '../registration/client-information.js'
import { clientInformation } from '../registration/client-information.js'
import type { RegisteredClient } from '../registration/registered-client.js'
import type { Unavailable } from '../errors.js'
import type { ClientRegistry } from '../ports/client-registry.js'
import type { RegistrationSettings } from '../registration/registration-settings.js'
import type { RequireMasterPorts } from './steps/require-master.js'
import { requireMaster } from './steps/require-master.js'

export type ListClientsRequest = { readonly credential: PresentedCredential }

/** The clients as a stream, and what is told of each; a Left in the stream is a client that cannot be read, or the end. */
export type ClientList<Told = ClientInformation> = {
  readonly clients: ReturnType<ClientRegistry['streamClients']>
  readonly informationOf: (client: RegisteredClient) => Told
}

export const listClients =
  (
    settings: Pick<RegistrationSettings, 'registrationEndpoint'>,
    ports: RequireMasterPorts & Pick<ClientRegistry, 'streamClients'>,
  ) =>
  (request: ListClientsRequest): TE.TaskEither<MasterRefusal | Unavailable, ClientList> =>
    pipe(
      requireMaster(ports)(request.credential),
      TE.map(() => ({
        clients: ports.streamClients(),
        informationOf: clientInformation(settings.registrationEndpoint),
      })),
    )
