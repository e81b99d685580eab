// What a provider grants to its clients.
import {
  ClientId,
  EpochSeconds,
  RegistrationId,
  invalidRequest,
  isJsonObject,
  isLive,
  maxDepth,
  unknownSession,
  unknownClient,
  type AuthorizationKind,
  type ClientAuthorization,
  type InvalidRequest,
  type Unavailable,
  type UnknownClient,
  type UnknownSession,
} from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { OpenedData } from '../data/open-data.js'

/** What the provider granted to a client; of the token only the digest is stored. */
export type Granted = Omit<ClientAuthorization, 'hash' | 'client_id' | 'registration_id' | 'expires_at'> & {
  readonly token: string
  readonly client_id: string
  /** As the client that was found or authenticated has it. */
  readonly registration_id: string
  /** Seconds since the epoch, or 0 where it does not expire. */
  readonly expires_at: number
}

/**
 * Refresh tokens, access tokens and sticky grants, which end with their client, and with their session where they name one and are
 * not for offline access. `details` are stored in clear: they hold no secret.
 */
export type ProviderAuthorizations = {
  /**
   * Records it, or replaces what was recorded for the same token; the client counts as used from then on. Refused where the client
   * was deleted, also when its client_id is registered again.
   */
  readonly record: (
    granted: Granted,
  ) => TE.TaskEither<InvalidRequest | UnknownClient | UnknownSession | Unavailable, void>
  readonly find: (kind: AuthorizationKind, token: string) => TE.TaskEither<Unavailable, O.Option<ClientAuthorization>>
  /** RFC 7009 §2.2: a token that is not known is no error. */
  readonly revoke: (kind: AuthorizationKind, token: string) => TE.TaskEither<Unavailable, void>
}

const invalidGrant = invalidRequest(
  `expires_at must be whole seconds since the epoch, or 0; details must be a JSON object, nested ${maxDepth} levels at most`,
)

const isDetails = isJsonObject(maxDepth)

const decodeGrant = (
  { hashToken }: OpenedData,
  { token, client_id, registration_id, expires_at, details, ...granted }: Granted,
): E.Either<InvalidRequest | UnknownClient, ClientAuthorization> => {
  if (!EpochSeconds.is(expires_at) || !isDetails(details)) return E.left(invalidGrant)
  if (!ClientId.is(client_id) || !RegistrationId.is(registration_id)) return E.left(unknownClient)
  return E.right({ ...granted, client_id, registration_id, expires_at, details, hash: hashToken(token) })
}

/** What is granted, by the store of the service. */
export const createAuthorizations = (data: OpenedData): ProviderAuthorizations => {
  const { hashToken, generator, store } = data
  const { recordAuthorization, findAuthorization, revokeAuthorization } = store.authorizations
  /** Whether no session stands behind it, or one that is not over. */
  const isInForce = ({ session, offline }: ClientAuthorization): TE.TaskEither<Unavailable, boolean> =>
    session === undefined || offline === true
      ? TE.right(true)
      : pipe(store.endUserSessions.findSessionById(session), TE.map(O.exists(isLive(generator.now()))))
  const record = (granted: ClientAuthorization): TE.TaskEither<UnknownClient | UnknownSession | Unavailable, void> =>
    pipe(
      isInForce(granted),
      TE.flatMap((holds): ReturnType<typeof record> =>
        holds ? recordAuthorization(granted, generator.now()) : TE.left(unknownSession),
      ),
    )
  return {
    record: (granted) => () => pipe(TE.fromEither(decodeGrant(data, granted)), TE.flatMap(record))(),
    find: (kind, token) =>
      pipe(
        findAuthorization(kind, hashToken(token)),
        TE.flatMap(
          O.match(
            () => TE.right(O.none),
            (found) =>
              pipe(
                isInForce(found),
                TE.map((holds) => (holds ? O.some(found) : O.none)),
              ),
          ),
        ),
      ),
    revoke: (kind, token) => revokeAuthorization(kind, hashToken(token)),
  }
}
