import type { ForOperator } from '../authorization/operator.js'
import { type ClientInformation, clientInformation } from '../registration/client-information.js'
import type { RegisteredClient } from '../registration/registered-client.js'
import type { ClientRegistry } from '../ports/client-registry.js'
import type { RegistrationSettings } from '../registration/registration-settings.js'

/** The clients as a stream, and what is told of each; a Left in the stream is a client that cannot be read, or the end. */
export type ClientList<Told = ClientInformation> = {
  readonly clients: ReturnType<ClientRegistry['streamClients']>
  readonly informationOf: (client: RegisteredClient) => Told
}

export const listClients =
  (
    settings: Pick<RegistrationSettings, 'registrationEndpoint'>,
    ports: Pick<ClientRegistry, 'streamClients'>,
  ): ForOperator<ClientList> =>
  () => ({ clients: ports.streamClients(), informationOf: clientInformation(settings.registrationEndpoint) })
