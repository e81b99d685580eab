import type { ForOperator } from '../authorization/operator.js'
import { type ClientInformation, clientInformation } from '../registration/client-information.js'
import type { RegisteredClient } from '../registration/registered-client.js'
import type { ClientRegistry } from '../ports/client-registry.js'
import type { RegistrationSettings } from '../registration/registration-settings.js'

/** The clients as a stream, and the projection for each; a Left is an unreadable client, or the end after a failure. */
export type ClientList<Reported = ClientInformation> = {
  readonly clients: ReturnType<ClientRegistry['streamClients']>
  readonly informationOf: (client: RegisteredClient) => Reported
}

export const listClients =
  (
    settings: Pick<RegistrationSettings, 'registrationEndpoint'>,
    ports: Pick<ClientRegistry, 'streamClients'>,
  ): ForOperator<ClientList> =>
  () => ({ clients: ports.streamClients(), informationOf: clientInformation(settings.registrationEndpoint) })
