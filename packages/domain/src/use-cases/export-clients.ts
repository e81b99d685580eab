import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Unavailable } from '../errors.js'
import { type ExportOptions, type ExportedClient, exportedClient } from '../importing/exported-client.js'
import type { ClientRegistry, ClientWithUse } from '../ports/client-registry.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { ClientList } from './list-clients.js'
import { type AuditWriting, type ByRequest, auditedBy, writeAudited } from './steps/audited.js'

export type ExportClientsPorts = Pick<ClientRegistry, 'streamClientsWithUse'> &
  Pick<CredentialGenerator, 'now'> &
  AuditWriting

/** All clients in the format of an export; client secrets and registration access tokens only on request. */
export const exportClients =
  (
    ports: ExportClientsPorts,
  ): ByRequest<
    'clients:read' | 'clients:secrets',
    (options: ExportOptions) => TE.TaskEither<Unavailable, ClientList<ExportedClient, ClientWithUse>>
  > =>
  (operator, request) =>
  (options) => {
    const row = auditedBy(ports, operator, request)
    return pipe(
      writeAudited(ports, options.secrets ? row(ports.now(), 'all_credentials_read') : undefined),
      TE.map(() => ({ clients: ports.streamClientsWithUse(), informationOf: exportedClient(options) })),
    )
  }
