import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Unavailable } from '../errors.js'
import { type ExportOptions, type ExportedClient, exportedClient } from '../importing/exported-client.js'
import type { ClientList, ListClientsPorts } from './list-clients.js'
import { type ByRequest, auditedBy, writeAudited } from './steps/audited.js'

/** All clients in the format of an export; client secrets and registration access tokens only on request. */
export const exportClients =
  (
    ports: ListClientsPorts,
  ): ByRequest<
    'clients:read' | 'clients:secrets',
    (options: ExportOptions) => TE.TaskEither<Unavailable, ClientList<ExportedClient>>
  > =>
  (operator, request) =>
  (options) => {
    const row = auditedBy(ports, operator, request)
    return pipe(
      writeAudited(ports, options.secrets ? row(ports.now(), 'all_credentials_read') : undefined),
      TE.map(() => ({ clients: ports.streamClients(), informationOf: exportedClient(options) })),
    )
  }
