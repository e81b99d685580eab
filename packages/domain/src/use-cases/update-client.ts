import * as E from 'fp-ts/lib/Either.js'
import type * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { authorizeConfiguration } from '../authorization/authorize-configuration.js'
import { permitUpdate } from '../authorization/permit-registration.js'
import type { PresentedCredential } from '../authorization/presented-credential.js'
import type { ClientInformation, ClientPreview } from '../client/client-information.js'
import { clientInformation, previewOfUpdate } from '../client/client-information.js'
import type { Issued, RegisteredClient } from '../client/registered-client.js'
import { updatedClient } from '../client/registered-client.js'
import { decodeUpdateRequest } from '../client/update-request.js'
import type * as Refusals from '../errors.js'
import type { ClientRegistry } from '../ports/client-registry.js'
import type { Fresh } from '../ports/fresh.js'
import { findNamedClient } from './steps/find-named-client.js'
import type { RegistrationSettings } from '../registration-settings.js'
import { againWhenChanged } from './steps/again-when-changed.js'

/** RFC 7592 §2.2 */
export type UpdateClientRequest = {
  readonly credential: PresentedCredential
  readonly clientId: string
  readonly body: E.Either<Refusals.InvalidRequest, unknown>
}

export type UpdateRefusal =
  | Refusals.MissingToken
  | Refusals.InvalidToken
  | Refusals.UnknownClient
  | Refusals.InvalidRequest
  | Refusals.InvalidRedirectUri
  | Refusals.InvalidClientMetadata
  | Refusals.InsufficientScope

export type UpdateClientError = UpdateRefusal | Refusals.Unavailable

export type UpdateClientPorts = Pick<ClientRegistry, 'findClient' | 'replaceClient'> & Pick<Fresh, 'issue'>

export type UpdateFacts = {
  readonly credential: PresentedCredential
  readonly body: E.Either<Refusals.InvalidRequest, unknown>
  readonly found: O.Option<RegisteredClient>
  readonly issued: Issued
}

export type DecidedUpdate = { readonly next: RegisteredClient; readonly replacing: RegisteredClient }

/** Who asks (401, 404)? Is it well-formed (400)? Is it permitted (403)? Then this is the client from now on. */
export const decideUpdate =
  (settings: RegistrationSettings) =>
  (facts: UpdateFacts): E.Either<UpdateRefusal, DecidedUpdate> =>
    pipe(
      authorizeConfiguration(facts.credential, facts.found),
      E.bindW('body', () => facts.body),
      E.bindW('requested', ({ client, body }) => decodeUpdateRequest(client)(body)),
      E.bindW('metadata', ({ client, held, requested }) => permitUpdate(held, client.metadata)(requested)),
      E.map(({ client, metadata }) => ({
        next: updatedClient(settings.credentials, facts.issued)(client)(metadata),
        replacing: client,
      })),
    )

const decide =
  (settings: RegistrationSettings, ports: Omit<UpdateClientPorts, 'replaceClient'>) =>
  (request: UpdateClientRequest): TE.TaskEither<UpdateClientError, DecidedUpdate> =>
    pipe(
      findNamedClient(ports)(request),
      TE.flatMapEither((found) => decideUpdate(settings)({ ...request, found, issued: ports.issue() })),
    )

export const updateClient =
  (settings: RegistrationSettings, ports: UpdateClientPorts) =>
  (request: UpdateClientRequest): TE.TaskEither<UpdateClientError, ClientInformation> =>
    againWhenChanged(
      pipe(
        decide(settings, ports)(request),
        TE.tap(({ next, replacing }) => ports.replaceClient(next, replacing)),
        TE.map(({ next }) => clientInformation(settings.registrationEndpoint)(next)),
      ),
    )

/** The same decision, without updating: nothing is renewed or stored. */
export const previewUpdate =
  (settings: RegistrationSettings, ports: Omit<UpdateClientPorts, 'replaceClient'>) =>
  (request: UpdateClientRequest): TE.TaskEither<UpdateClientError, ClientPreview> =>
    pipe(
      decide(settings, ports)(request),
      TE.map(({ next }) => previewOfUpdate(settings.registrationEndpoint)(next)),
    )
