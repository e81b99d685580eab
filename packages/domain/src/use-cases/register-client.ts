import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { authorizeRegistrant } from '../authorization/authorize-registrant.js'
import type { InitialAccessToken } from '../authorization/initial-access-token.js'
import { permitRegistration } from '../authorization/permit-registration.js'
import type { PresentedCredential } from '../authorization/presented-credential.js'
import type { TokenHash } from '../authorization/token-hash.js'
import type { ClientInformation, ClientPreview } from '../client/client-information.js'
import { clientInformation } from '../client/client-information.js'
import { preferredClientIdTaken } from '../client/metadata-refusal.js'
import type { Issued, RegisteredClient } from '../client/registered-client.js'
import { registeredClient } from '../client/registered-client.js'
import { decodeRegistrationRequest } from '../client/registration-request.js'
import type * as Refusals from '../errors.js'
import { invalidToken } from '../errors.js'
import type { ClientIdTaken, ClientRegistry, InitialAccessTokenSpent } from '../ports/client-registry.js'
import type { Fresh } from '../ports/fresh.js'
import type { InitialAccessTokens } from '../ports/initial-access-tokens.js'
import type { RegistrationSettings } from '../registration-settings.js'

/** RFC 7591 §3.1. The body is JSON, or why it cannot be read, which is told only to whoever is authorized to ask. */
export type RegisterClientRequest = {
  readonly credential: PresentedCredential
  readonly body: E.Either<Refusals.InvalidRequest, unknown>
}

export type RegistrationRefusal =
  | Refusals.MissingToken
  | Refusals.InvalidToken
  | Refusals.InvalidRequest
  | Refusals.InvalidRedirectUri
  | Refusals.InvalidClientMetadata
  | Refusals.InsufficientScope

export type RegisterClientError = RegistrationRefusal | Refusals.Unavailable

export type RegisterClientPorts = Pick<ClientRegistry, 'addClient'> &
  Pick<InitialAccessTokens, 'findInitialAccessToken'> &
  Pick<Fresh, 'issue'>

export type RegistrationFacts = RegisterClientRequest & {
  readonly token: O.Option<InitialAccessToken>
  readonly issued: Issued
}

export type DecidedRegistration = { readonly client: RegisteredClient; readonly spending: O.Option<TokenHash> }

/** Who asks (401)? Is it well-formed (400)? Is it permitted (403)? Then this is the client. */
export const decideRegistration =
  (settings: RegistrationSettings) =>
  (facts: RegistrationFacts): E.Either<RegistrationRefusal, DecidedRegistration> =>
    pipe(
      authorizeRegistrant(settings.mode, facts.issued.at)(facts.credential, facts.token),
      E.bindTo('registrant'),
      E.bindW('body', () => facts.body),
      E.bindW('request', ({ body }) => decodeRegistrationRequest(body)),
      E.bindW('metadata', ({ registrant, request }) => permitRegistration(registrant)(request)),
      E.map(({ registrant, request, metadata }) => ({
        client: registeredClient(settings.credentials, facts.issued)(request, metadata, registrant.held),
        spending: registrant.spending,
      })),
    )

const noToken: TE.TaskEither<Refusals.Unavailable, O.Option<InitialAccessToken>> = TE.right(O.none)

const decide =
  (settings: RegistrationSettings, ports: Pick<RegisterClientPorts, 'findInitialAccessToken' | 'issue'>) =>
  (request: RegisterClientRequest): TE.TaskEither<RegisterClientError, DecidedRegistration> =>
    pipe(
      request.credential.kind === 'token' ? ports.findInitialAccessToken(request.credential.hash) : noToken,
      TE.flatMapEither((token) => decideRegistration(settings)({ ...request, token, issued: ports.issue() })),
    )

const refusalOfStore = (error: ClientIdTaken | InitialAccessTokenSpent | Refusals.Unavailable): RegisterClientError => {
  switch (error.error) {
    case 'client_id_taken':
      return preferredClientIdTaken
    case 'initial_access_token_spent':
      return invalidToken
    case 'unavailable':
      return error
  }
}

export const registerClient =
  (settings: RegistrationSettings, ports: RegisterClientPorts) =>
  (request: RegisterClientRequest): TE.TaskEither<RegisterClientError, ClientInformation> =>
    pipe(
      decide(settings, ports)(request),
      TE.tap(({ client, spending }) => pipe(ports.addClient(client, spending), TE.mapLeft(refusalOfStore))),
      TE.map(({ client }) => clientInformation(settings.registrationEndpoint)(client)),
    )

/** The same decision, without registering: what would be refused is refused, and nothing is issued, stored or spent. */
export const previewRegistration =
  (
    settings: RegistrationSettings,
    ports: Omit<RegisterClientPorts, 'addClient'> & Pick<ClientRegistry, 'findClient'>,
  ) =>
  (request: RegisterClientRequest): TE.TaskEither<RegisterClientError, ClientPreview> =>
    pipe(
      decide(settings, ports)(request),
      TE.tap(({ client }) =>
        pipe(
          ports.findClient(client.client_id),
          TE.flatMap((found) => (O.isSome(found) ? TE.left(preferredClientIdTaken) : TE.right(undefined))),
        ),
      ),
      TE.map(({ client }) => client.metadata),
    )
