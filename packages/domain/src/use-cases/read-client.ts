import * as E from 'fp-ts/lib/Either.js'
import type * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { authorizeConfiguration } from '../authorization/authorize-configuration.js'
import type { PresentedCredential } from '../authorization/presented-credential.js'
import type { ClientInformation } from '../client/client-information.js'
import { clientInformation } from '../client/client-information.js'
import type { RegisteredClient } from '../client/registered-client.js'
import { hasExpiredSecret, withFreshSecret } from '../client/registered-client.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { InvalidToken, MissingToken, Unavailable, UnknownClient } from '../errors.js'
import type { ClientChanged, ClientRegistry } from '../ports/client-registry.js'
import type { Fresh } from '../ports/fresh.js'
import { findNamedClient } from './steps/find-named-client.js'
import type { RegistrationSettings } from '../registration-settings.js'
import { andDecide, andThen } from './steps/and-then.js'
import { againWhenChanged } from './steps/again-when-changed.js'

/** RFC 7592 §2.1. The identifier is as the path has it: any string. */
export type ReadClientRequest = { readonly credential: PresentedCredential; readonly clientId: string }

export type ReadClientError = MissingToken | InvalidToken | UnknownClient | Unavailable

export type ReadClientPorts = Pick<ClientRegistry, 'findClient' | 'replaceClient'> & Pick<Fresh, 'now' | 'issue'>

export type ReadFacts = {
  readonly credential: PresentedCredential
  readonly found: O.Option<RegisteredClient>
  readonly at: EpochSeconds
}

/** The client as it is kept, and whether its secret is to be renewed before it is told. */
export type DecidedRead = { readonly client: RegisteredClient; readonly renewsSecret: boolean }

export const decideRead = (facts: ReadFacts): E.Either<MissingToken | InvalidToken | UnknownClient, DecidedRead> =>
  pipe(
    authorizeConfiguration(facts.credential, facts.found),
    E.map(({ client }) => ({ client, renewsSecret: hasExpiredSecret(client, facts.at) })),
  )

const renewSecret =
  (settings: RegistrationSettings, ports: ReadClientPorts) =>
  (client: RegisteredClient): TE.TaskEither<ClientChanged | Unavailable, RegisteredClient> => {
    const next = withFreshSecret(settings.credentials, ports.issue())(client)
    return pipe(
      ports.replaceClient(next, client),
      TE.map(() => next),
    )
  }

/** Of parallel reads of an expired secret one renews it, and the others answer with what that one stored. */
export const readClient =
  (settings: RegistrationSettings, ports: ReadClientPorts) =>
  (request: ReadClientRequest): TE.TaskEither<ReadClientError, ClientInformation> =>
    againWhenChanged(
      pipe(
        findNamedClient(ports)(request),
        andDecide((found) => decideRead({ credential: request.credential, found, at: ports.now() })),
        andThen(({ client, renewsSecret }) => (renewsSecret ? renewSecret(settings, ports)(client) : TE.right(client))),
        TE.map(clientInformation(settings.registrationEndpoint)),
      ),
    )
