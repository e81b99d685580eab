import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Operator } from '../authorization/operator.js'
import { ClientId } from '../client/client-id.js'
import { type ClientInformation, clientInformation } from '../registration/client-information.js'
import { withFreshCredentials } from '../registration/registered-client.js'
import { type Unavailable, type UnknownClient, unknownClient } from '../errors.js'
import type { ClientChanged, ClientRegistry } from '../ports/client-registry.js'
import type { Fresh } from '../ports/fresh.js'
import type { Turns } from '../ports/turns.js'
import type { RegistrationSettings } from '../registration/registration-settings.js'
import { inTurnWhenChanged } from './steps/again-when-changed.js'

export type RenewCredentialsRequest = { readonly operator: Operator; readonly clientId: string }

export type RenewCredentialsError = UnknownClient | Unavailable

export type RenewCredentialsPorts = Pick<ClientRegistry, 'findClient' | 'replaceClient'> & Pick<Fresh, 'issue'> & Turns

/**
 * The operator renews both credentials of a client, such as after one of them leaked: the secret and the registration access
 * token that it had count no more. What the client registered stays as it is.
 */
export const renewCredentials =
  (
    settings: Pick<RegistrationSettings, 'credentials' | 'registrationEndpoint'>,
    ports: RenewCredentialsPorts,
  ): ((request: RenewCredentialsRequest) => TE.TaskEither<RenewCredentialsError, ClientInformation>) =>
  ({ clientId }) => {
    const renew: TE.TaskEither<RenewCredentialsError | ClientChanged, ClientInformation> = async () => {
      if (!ClientId.is(clientId)) return E.left(unknownClient)
      const found = await ports.findClient(clientId)()
      if (E.isLeft(found)) return found
      if (O.isNone(found.right)) return E.left(unknownClient)
      const client = found.right.value
      const next = withFreshCredentials(settings.credentials, ports.issue())(client)
      const replaced = await ports.replaceClient(next, client)()
      return E.isLeft(replaced) ? replaced : E.right(clientInformation(settings.registrationEndpoint)(next))
    }
    return inTurnWhenChanged(ports, `client ${clientId}`)(renew)
  }
