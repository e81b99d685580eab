import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { holds } from '../authorization/operator.js'
import type { Unavailable } from '../errors.js'
import { type ClientDescription, clientDescription, clientWithCredentials } from '../registration/client-information.js'
import type { RegisteredClient } from '../registration/registered-client.js'
import type { ClientRegistry, StreamedClient } from '../ports/client-registry.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { RegistrationSettings } from '../registration/registration-settings.js'
import { type AuditWriting, type ByRequest, auditedBy, writeAuditedIfPossible } from './steps/audited.js'

/** The clients as a stream, and the projection for each; a Left is an unreadable client, or the end after a failure. */
export type ClientList<Reported = ClientDescription, Listed = RegisteredClient> = {
  readonly clients: AsyncIterable<StreamedClient<Listed>>
  readonly informationOf: (client: Listed) => Reported
}

export type ListClientsPorts = Pick<ClientRegistry, 'streamClients'> & Pick<CredentialGenerator, 'now'> & AuditWriting

/** The clients; with their credentials where the operator may see them. */
export const listClients =
  (
    settings: Pick<RegistrationSettings, 'registrationEndpoint'>,
    ports: ListClientsPorts,
  ): ByRequest<'clients:read', TE.TaskEither<Unavailable, ClientList>> =>
  (operator, request) => {
    const showsCredentials = holds(operator, 'clients:secrets')
    const describe = showsCredentials ? clientWithCredentials : clientDescription
    const row = auditedBy(ports, operator, request)
    return pipe(
      writeAuditedIfPossible(ports, showsCredentials ? row(ports.now(), 'all_credentials_read') : undefined),
      TE.map(() => ({ clients: ports.streamClients(), informationOf: describe(settings.registrationEndpoint) })),
    )
  }
