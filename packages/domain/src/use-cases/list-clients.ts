import { type ForOperator, holds } from '../authorization/operator.js'
import { type ClientDescription, clientDescription, clientInformation } from '../registration/client-information.js'
import type { RegisteredClient } from '../registration/registered-client.js'
import type { ClientRegistry, StreamedClient } from '../ports/client-registry.js'
import type { RegistrationSettings } from '../registration/registration-settings.js'

/** The clients as a stream, and the projection for each; a Left is an unreadable client, or the end after a failure. */
export type ClientList<Reported = ClientDescription, Listed = RegisteredClient> = {
  readonly clients: AsyncIterable<StreamedClient<Listed>>
  readonly informationOf: (client: Listed) => Reported
}

/** The clients; with their credentials where the operator may see them. */
export const listClients =
  (
    settings: Pick<RegistrationSettings, 'registrationEndpoint'>,
    ports: Pick<ClientRegistry, 'streamClients'>,
  ): ForOperator<'clients:read', ClientList> =>
  (operator) => {
    const describe = holds(operator, 'clients:secrets') ? clientInformation : clientDescription
    return { clients: ports.streamClients(), informationOf: describe(settings.registrationEndpoint) }
  }
