import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { authorizeConfiguration } from '../authorization/authorize-configuration.js'
import type { PresentedCredential } from '../authorization/presented-credential.js'
import type { ClientInformation } from '../client/client-information.js'
import { clientInformation } from '../client/client-information.js'
import type { Issued, RegisteredClient } from '../client/registered-client.js'
import { withRenewedSecret } from '../client/registered-client.js'
import type { InvalidToken, MissingToken, Unavailable, UnknownClient } from '../errors.js'
import type { ClientRegistry } from '../ports/client-registry.js'
import type { Fresh } from '../ports/fresh.js'
import { findNamedClient } from './find-named-client.js'
import type { RegistrationSettings } from './settings.js'
import { againWhenChanged } from './when-changed.js'

/** RFC 7592 §2.1. The identifier is as the path has it: any string. */
export type ReadClientRequest = { readonly credential: PresentedCredential; readonly clientId: string }

export type ReadClientError = MissingToken | InvalidToken | UnknownClient | Unavailable

export type ReadClientPorts = Pick<ClientRegistry, 'findClient' | 'replaceClient'> & Pick<Fresh, 'issue'>

export type ReadFacts = {
  readonly credential: PresentedCredential
  readonly found: O.Option<RegisteredClient>
  readonly issued: Issued
}

/** The client as found, and as renewed where its secret has expired. */
export type DecidedRead = { readonly client: RegisteredClient; readonly renewed: O.Option<RegisteredClient> }

export const decideRead =
  (settings: RegistrationSettings) =>
  (facts: ReadFacts): E.Either<MissingToken | InvalidToken | UnknownClient, DecidedRead> =>
    pipe(
      authorizeConfiguration(facts.credential, facts.found),
      E.map(({ client }) => ({ client, renewed: withRenewedSecret(settings.credentials, facts.issued)(client) })),
    )

const store =
  (ports: ReadClientPorts) =>
  ({ client, renewed }: DecidedRead): ReturnType<ClientRegistry['replaceClient']> =>
    pipe(
      renewed,
      O.match(
        () => TE.right(undefined),
        (next) => ports.replaceClient(next, client),
      ),
    )

/** Of parallel reads of an expired secret one renews it, and the others answer with what that one stored. */
export const readClient =
  (settings: RegistrationSettings, ports: ReadClientPorts) =>
  (request: ReadClientRequest): TE.TaskEither<ReadClientError, ClientInformation> =>
    againWhenChanged(
      pipe(
        findNamedClient(ports)(request),
        TE.flatMapEither((found) =>
          decideRead(settings)({ credential: request.credential, found, issued: ports.issue() }),
        ),
        TE.tap(store(ports)),
        TE.map(({ client, renewed }) =>
          clientInformation(settings.registrationEndpoint)(pipe(renewed, O.getOrElse(() => client))),
        ),
      ),
    )
