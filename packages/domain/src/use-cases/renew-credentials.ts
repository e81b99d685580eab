import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { actorOfOperator } from '../audit/audit-entry.js'
import { changedMembers } from '../audit/changed-members.js'
import type { Operator } from '../authorization/operator.js'
import { ClientId, isDocumented } from '../client/client-id.js'
import { type ClientInformation, clientInformation } from '../registration/client-information.js'
import { withGeneratedCredentials } from '../registration/registered-client.js'
import { type Unavailable, type UnknownClient, unknownClient } from '../errors.js'
import type { ClientChanged, ClientRegistry } from '../ports/client-registry.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { Turns } from '../ports/turns.js'
import type { RegistrationSettings } from '../registration/registration-settings.js'
import { type AuditPorts, type WithOrigin, audited } from './steps/audited.js'
import { serializeOnConflict } from './steps/serialize-on-conflict.js'

export type RenewCredentialsRequest = WithOrigin & {
  readonly operator: Operator<'clients:write' | 'clients:secrets'>
  readonly clientId: string
}

export type RenewCredentialsError = UnknownClient | Unavailable

export type RenewCredentialsPorts = Pick<ClientRegistry, 'findClient' | 'replaceClient'> &
  Pick<CredentialGenerator, 'issue'> &
  AuditPorts &
  Turns

/**
 * Renews both credentials of a client for the operator, for example after a leak: the previous secret and registration
 * access token are invalid from then on. The metadata is unchanged.
 */
export const renewCredentials =
  (
    settings: Pick<RegistrationSettings, 'credentials' | 'registrationEndpoint'>,
    ports: RenewCredentialsPorts,
  ): ((request: RenewCredentialsRequest) => TE.TaskEither<RenewCredentialsError, ClientInformation>) =>
  (request) => {
    const { clientId, operator } = request
    const renew: TE.TaskEither<RenewCredentialsError | ClientChanged, ClientInformation> = async () => {
      if (!ClientId.is(clientId)) return E.left(unknownClient)
      const found = await ports.findClient(clientId)()
      if (E.isLeft(found)) return found
      // A client with a document has no credentials that a party knows.
      if (O.isNone(found.right) || isDocumented(found.right.value)) return E.left(unknownClient)
      const client = found.right.value
      const issued = ports.issue()
      const next = withGeneratedCredentials(settings.credentials, issued)(client)
      const row = audited(ports, request, () => ({
        at: issued.at,
        action: 'client_renewed',
        client_id: clientId,
        actor: actorOfOperator(operator),
        members: changedMembers(client, next),
      }))
      const replaced = await ports.replaceClient(next, client, row)()
      return E.isLeft(replaced) ? replaced : E.right(clientInformation(settings.registrationEndpoint)(next))
    }
    return serializeOnConflict(ports, `client ${clientId}`)(renew)
  }
