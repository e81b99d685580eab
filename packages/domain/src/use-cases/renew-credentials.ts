import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Operator } from '../authorization/operator.js'
import { ClientId } from '../client/client-id.js'
import type { ClientInformation } from '../registration/client-information.js'
import { clientInformation } from '../registration/client-information.js'
import { withFreshCredentials } from '../registration/registered-client.js'
import type { Unavailable, UnknownClient } from '../errors.js'
import { unknownClient } from '../errors.js'
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
    const found = ClientId.is(clientId) ? ports.findClient(clientId) : TE.right(O.none)
    const renew: TE.TaskEither<UnknownClient | ClientChanged | Unavailable, ClientInformation> = pipe(
      found,
      TE.flatMap(TE.fromOption((): UnknownClient | ClientChanged | Unavailable => unknownClient)),
      TE.flatMap((client) => {
        const next = withFreshCredentials(settings.credentials, ports.issue())(client)
        return pipe(
          ports.replaceClient(next, client),
          TE.map(() => clientInformation(settings.registrationEndpoint)(next)),
        )
      }),
    )
    return pipe(renew, inTurnWhenChanged(ports, `client ${clientId}`))
  }
