// The authorizations that a provider grants to clients.
import { ClientId, RegistrationId } from '@clientele/domain/client'
import {
  type InvalidRequest,
  type Unavailable,
  type UnknownClient,
  type UnknownSession,
  EpochSeconds,
  invalidRequest,
  isJsonObject,
  maxDepth,
  unknownClient,
  unknownSession,
} from '@clientele/domain/kernel'
import { isSuspended } from '@clientele/domain/life-cycle'
import { Subject, isLive } from '@clientele/domain/logout'
import type { AuthorizationKind, ClientAuthorization } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { OpenedData } from '../data/open-data.js'

/** An authorization of a client; only the digest of its token is stored. */
export type Granted = Omit<ClientAuthorization, 'hash' | 'client_id' | 'registration_id' | 'expires_at'> & {
  readonly token: string
  readonly client_id: string
  /** The registration_id of the client that was found or authenticated. */
  readonly registration_id: string
  /** Seconds since the epoch, or 0 if it does not expire. */
  readonly expires_at: number
}

/**
 * Refresh tokens, access tokens and sticky grants. They end with their client, and with their session if they
 * name one and are not for offline access. `details` are stored unencrypted: they must not contain secrets.
 */
export type ProviderAuthorizations = {
  /**
   * Stores the authorization, or replaces the one of the same token; the client counts as used from then on. Refused if the
   * registration has ended, also when the client_id is registered again.
   */
  readonly record: (
    granted: Granted,
  ) => TE.TaskEither<InvalidRequest | UnknownClient | UnknownSession | Unavailable, void>
  /** None while the operator suspends the client. */
  readonly find: (kind: AuthorizationKind, token: string) => TE.TaskEither<Unavailable, O.Option<ClientAuthorization>>
  /** RFC 7009 §2.2: an unknown token is not an error. */
  readonly revoke: (kind: AuthorizationKind, token: string) => TE.TaskEither<Unavailable, void>
}

const invalidGrant = invalidRequest(
  `expires_at must be whole seconds since the epoch, or 0; details must be a JSON object, nested ${maxDepth} levels at most`,
)

const isDetails = isJsonObject(maxDepth)

const decodeGrant = (
  { hashToken }: OpenedData,
  { token, client_id, registration_id, expires_at, details, ...granted }: Granted,
): E.Either<InvalidRequest | UnknownClient | UnknownSession, ClientAuthorization> => {
  if (!EpochSeconds.is(expires_at) || !isDetails(details)) return E.left(invalidGrant)
  if (!ClientId.is(client_id) || !RegistrationId.is(registration_id)) return E.left(unknownClient)
  if (granted.session !== undefined && !Subject.is(granted.session)) return E.left(unknownSession)
  return E.right({ ...granted, client_id, registration_id, expires_at, details, hash: hashToken(token) })
}

/** The authorizations in the store of the service. */
export const createAuthorizations = (data: OpenedData): ProviderAuthorizations => {
  const { hashToken, generator, store } = data
  const { recordAuthorization, findAuthorization, revokeAuthorization } = store.authorizations
  const isOfSuspended = ({ client_id }: ClientAuthorization): TE.TaskEither<Unavailable, boolean> =>
    pipe(store.registry.findClient(client_id), TE.map(O.exists(isSuspended)))
  /** Whether it has no session, or one that is not over. */
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
                TE.flatMap((holds) => (holds ? isOfSuspended(found) : TE.right(true))),
                TE.map((isWithheld) => (isWithheld ? O.none : O.some(found))),
              ),
          ),
        ),
      ),
    revoke: (kind, token) => revokeAuthorization(kind, hashToken(token)),
  }
}
