// The interface for an OpenID provider in the same process. It takes no credential, because the process that composes
// the service opens the data directory, as the operator does.
import type { HttpSettings, ServicePorts } from '@clientele/adapters-http'
import type { AuditOrigin } from '@clientele/domain/audit'
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
import { useTime, withdrawalOf } from '@clientele/domain/life-cycle'
import { type EndUserSession, type SessionClient, Subject, isLive } from '@clientele/domain/logout'
import {
  type AuthenticateClientRequest,
  type FindSessionError,
  type RecordSessionClientError,
  type StartedSession,
  authenticateClient,
  endSession,
  findSession,
  listSessions,
  recordSessionClient,
  startSession,
  unaudited,
} from '@clientele/domain/operations'
import type {
  AuthorizationKind,
  ClientAuthorization,
  Interactions,
  ObjectDecrypter,
  ProviderEvent,
  SecretUse,
  TokenSigner,
} from '@clientele/domain/ports'
import type { InvalidClient, RegisteredClient, Registration, UnapprovedClient } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { OpenedData } from '../data/open-data.js'
import type { Log } from '../observing/log.js'
import { createRepeatedPasses } from '../running/passes.js'

/** The registered clients: RFC 7591, RFC 6749 §2.3. */
export type ProviderClients = {
  /**
   * The client of the id, with its secret; none if it is not registered. One with suspended_at must be answered as if it
   * were not, and one with approval gets nothing: docs/operate/year.md#life-cycle-of-a-client.
   */
  readonly find: (clientId: string) => TE.TaskEither<Unavailable, O.Option<RegisteredClient>>
  /**
   * Records that the client was used, for a provider that issues its tokens itself: where that is the first use of a UTC
   * day, before the token is issued. Recorded authorizations and clients of sessions are uses already.
   */
  readonly recordUse: (registration: Registration) => TE.TaskEither<Unavailable, void>
  /** RFC 6749 §2.3.1: the client that authenticates by its secret, or that registered without one. */
  readonly authenticate: (
    request: AuthenticateClientRequest,
  ) => TE.TaskEither<InvalidClient | UnapprovedClient | Unavailable, RegisteredClient>
}

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
  /** None while the client is not in force. */
  readonly find: (kind: AuthorizationKind, token: string) => TE.TaskEither<Unavailable, O.Option<ClientAuthorization>>
  /** RFC 7009 §2.2: an unknown token is not an error. */
  readonly revoke: (kind: AuthorizationKind, token: string) => TE.TaskEither<Unavailable, void>
}

/** End-user sessions, as through POST /sessions and its related routes. Times are seconds since the epoch. */
export type ProviderSessions = {
  /** Starts a session for the end-user; only this answer contains the value of its cookie. */
  readonly start: (sent: {
    readonly sub: string
    readonly lifetime?: number
    readonly idle_lifetime?: number
  }) => TE.TaskEither<InvalidRequest | Unavailable, StartedSession>
  /** The session of the browser with the cookie; it counts as used. */
  readonly find: (cookie: string) => TE.TaskEither<FindSessionError, EndUserSession>
  readonly list: (sub: string) => TE.TaskEither<Unavailable, ReadonlyArray<EndUserSession>>
  /**
   * Records a client that signed in the end-user; answers with the sub and sid of its ID tokens. The registration_id is that
   * of the client that was found or authenticated; refused if that registration has ended.
   */
  readonly recordClient: (
    sid: string,
    sent: {
      readonly client_id: string
      readonly registration_id: string
      readonly sub?: string
      readonly sid?: string
    },
  ) => TE.TaskEither<RecordSessionClientError, SessionClient>
  /** Ends the session and its authorizations; its applications are notified. */
  readonly end: (sid: string) => TE.TaskEither<UnknownSession | Unavailable, void>
}

/** The keys of the key set: RFC 7517. No private key leaves the service. */
export type ProviderKeys = {
  /** Signs a token of the provider by the present key of its algorithm, for example an ID token or an access token. */
  readonly signToken: TokenSigner['signToken']
  /** Decrypts objects that clients encrypted to the published key: request objects (RFC 9101 §6.1). */
  readonly decryptObject: ObjectDecrypter['decryptObject']
}

/** If it returns a promise, the next event waits for it. */
export type ProviderEventListener = (event: ProviderEvent) => void | Promise<void>

/** The interface for a provider in the same process. */
export type Provider = ProviderKeys & {
  readonly clients: ProviderClients
  readonly authorizations: ProviderAuthorizations
  readonly sessions: ProviderSessions
  /**
   * Calls the listener for each client that is deleted and each session that the end-user or the operator ends from now
   * on, by any instance on the same store: once and in their order, within two seconds if the listener keeps up, and until the
   * returned function is called. Sessions that end by their lifetime are not reported.
   */
  readonly watchEvents: (listener: ProviderEventListener) => TE.TaskEither<Unavailable, () => void>
  /** The requests that wait for an end-user; left out where the service has no authorization server of its own. */
  readonly interactions?: Interactions
}

export type ProviderOptions = {
  readonly data: OpenedData
  readonly ports: ServicePorts
  readonly logout: Pick<HttpSettings['logout'], 'policy' | 'sessions'>
  readonly keys: ProviderKeys
  readonly secretUses: SecretUse
  readonly log: Log
  /** Whether the service is told to stop: the store closes soon. */
  readonly isDraining: () => boolean
}

/** The number of registrations whose last use is remembered. */
const maxRemembered = 10_000

/**
 * Asks the store at the first use of a client in a UTC day by this process. The store decides whether it writes: this
 * only saves questions.
 */
const oncePerDay = ({ recordUse, now }: ServicePorts): ProviderClients['recordUse'] => {
  const recorded = new Map<string, EpochSeconds>()
  const remember = (id: string, day: EpochSeconds): void => {
    recorded.delete(id)
    recorded.set(id, day)
    const [oldest] = recorded.keys()
    if (recorded.size > maxRemembered && oldest !== undefined) recorded.delete(oldest)
  }
  return (registration) => () => {
    const at = now()
    const { registration_id } = registration
    if (recorded.get(registration_id) === useTime(at)) return TE.right(undefined)()
    return pipe(
      recordUse(registration, at),
      TE.tapIO(() => () => remember(registration_id, useTime(at))),
    )()
  }
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
const authorizationsOf = (data: OpenedData): ProviderAuthorizations => {
  const { hashToken, generator, store } = data
  const { recordAuthorization, findAuthorization, revokeAuthorization } = store.authorizations
  const isOfWithdrawn = ({ client_id }: ClientAuthorization): TE.TaskEither<Unavailable, boolean> =>
    pipe(store.registry.findClient(client_id), TE.map(O.exists((client) => withdrawalOf(client) !== undefined)))
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
                TE.flatMap((holds) => (holds ? isOfWithdrawn(found) : TE.right(true))),
                TE.map((isWithheld) => (isWithheld ? O.none : O.some(found))),
              ),
          ),
        ),
      ),
    revoke: (kind, token) => revokeAuthorization(kind, hashToken(token)),
  }
}

/** What the host does in its own process is in its own log: the audit log has what comes by requests and commands. */
const sessionsOf = ({
  data: { operator },
  ports: { sessionEnded, ...given },
  logout,
}: ProviderOptions): ProviderSessions => {
  const ports = { ...given, ...unaudited }
  const origin: AuditOrigin = { door: 'service', request_id: '' }
  const start = startSession(logout.sessions, ports)
  const find = findSession(ports)
  const list = listSessions(ports)
  const record = recordSessionClient(ports)
  const end = endSession(logout.policy, ports)
  return {
    start: (sent) => start({ operator, origin, body: E.right(sent) }),
    find: (cookie) => find({ operator, body: E.right({ cookie }) }),
    list: (sub) => list({ operator, sub }),
    recordClient: (sid, { registration_id, ...sent }) =>
      RegistrationId.is(registration_id)
        ? record({ operator, origin, sid, registrationId: registration_id, body: E.right(sent) })
        : TE.left(unknownClient),
    end: (sid) =>
      pipe(
        end({ operator, origin, sid }),
        TE.map((written) => sessionEnded(written)),
      ),
  }
}

/** Milliseconds between two reads of the events in the store. */
const lookInterval = 1000

/** The number of events that are read together; further ones are read at once. */
const maxEvents = 1000

/** Reports the events of all instances on the same store to a listener in this process. */
const watchEventsBy =
  ({ data: { store }, log, isDraining }: ProviderOptions): Provider['watchEvents'] =>
  (listener) =>
  async () => {
    const notify = async (event: ProviderEvent): Promise<void> => {
      try {
        await listener(event)
      } catch (detail) {
        log.error({ detail }, 'a listener for events of the provider failed; it is called for the next event')
      }
    }
    const latest = await store.providerEvents.latestPosition()
    if (E.isLeft(latest)) return latest
    // Each run of the task watches by itself.
    const state = { position: latest.right }
    const watching = createRepeatedPasses(lookInterval, async (isStopping) => {
      if (isDraining()) void watching.stop()
      if (isStopping()) return lookInterval
      const { position } = state
      // A host may have a store of its own, which throws.
      const read = await Promise.resolve()
        .then(() => store.providerEvents.listEvents(position, maxEvents)())
        .catch((detail: unknown) => E.left({ detail }))
      if (E.isLeft(read)) {
        log.error({ detail: read.left.detail }, 'events of the provider could not be read; it is tried again')
        return lookInterval
      }
      // The reader was away for longer than events are stored.
      if (read.right.forgotten) log.warn({ after: position }, 'events of the provider were forgotten unread')
      for (const { event } of read.right.events) if (!isStopping() && !isDraining()) await notify(event)
      state.position = read.right.position
      // There may be more where there were some.
      return state.position > position ? 0 : lookInterval
    })
    watching.start()
    return E.right(() => void watching.stop())
  }

/** The provider interface of the service. */
export const createProvider = (options: ProviderOptions): Provider => {
  const { data, ports, keys, secretUses } = options
  return {
    ...keys,
    clients: {
      recordUse: oncePerDay(ports),
      find: (clientId) => (ClientId.is(clientId) ? ports.findClient(clientId) : TE.right(O.none)),
      authenticate: authenticateClient({ ...ports, ...secretUses }),
    },
    authorizations: authorizationsOf(data),
    sessions: sessionsOf(options),
    watchEvents: watchEventsBy(options),
  }
}
