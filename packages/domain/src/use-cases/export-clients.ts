import type { ForOperator } from '../authorization/operator.js'
import { type ExportOptions, type ExportedClient, exportedClient } from '../importing/exported-client.js'
import type { ClientRegistry, ClientWithUse } from '../ports/client-registry.js'
import type { ClientList } from './list-clients.js'

/** All clients in the format of an export; client secrets and registration access tokens only on request. */
export const exportClients =
  (
    ports: Pick<ClientRegistry, 'streamClientsWithUse'>,
  ): ForOperator<
    'clients:read' | 'clients:secrets',
    (options: ExportOptions) => ClientList<ExportedClient, ClientWithUse>
  > =>
  () =>
  (options) => ({ clients: ports.streamClientsWithUse(), informationOf: exportedClient(options) })
