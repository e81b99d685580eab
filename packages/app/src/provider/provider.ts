// The interface for an OpenID provider in the same process. It takes no credential, because the process that composes
// the service opens the data directory, as the operator does.
import type { AuditOrigin } from '@clientele/domain/audit'
import { ClientId, RegistrationId } from '@clientele/domain/client'
import { type InvalidRequest, type Unavailable, type UnknownSession, unknownClient } from '@clientele/domain/kernel'
import type { EndUserSession, SessionClient } from '@clientele/domain/logout'
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
import type { Interactions, ObjectDecrypter, TokenSigner } from '@clientele/domain/ports'
import type { InvalidClient, RegisteredClient } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { HttpSettings, ServicePorts } from '@clientele/adapters-http'
import type { OpenedData } from '../data/open-data.js'
import { type RecordUse, oncePerDay } from '../life-cycle/once-per-day.js'
import { createAuthorizations, type ProviderAuthorizations } from './authorizations.js'
import { watchProviderEvents, type WatchEventsPorts, type WatchProviderEvents } from './watch-events.js'

/** The registered clients: RFC 7591, RFC 6749 §2.3. */
export type ProviderClients = {
  /**
   * The client of the id, with its secret; none if it is not registered. One with suspended_at must be answered as if it
   * were not: docs/life-cycle.md.
   */
  readonly find: (clientId: string) => TE.TaskEither<Unavailable, O.Option<RegisteredClient>>
  /**
   * Records that the client was used, for a provider that issues its tokens itself: where that is the first use of a UTC
   * day, before the token is issued. Recorded authorizations and clients of sessions are uses already.
   */
  readonly recordUse: RecordUse
  /** RFC 6749 §2.3.1: the client that authenticates by its secret, or that registered without one. */
  readonly authenticate: (
    request: AuthenticateClientRequest,
  ) => TE.TaskEither<InvalidClient | Unavailable, RegisteredClient>
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

/** The interface for a provider in the same process. */
export type Provider = ProviderKeys & {
  readonly clients: ProviderClients
  readonly authorizations: ProviderAuthorizations
  readonly sessions: ProviderSessions
  /**
   * Calls the listener for each client that is deleted and each session that the end-user or the operator ends from now
   * on, by any instance on the same store: in their order, and within two seconds if the listener keeps up. Sessions
   * that end by their lifetime are not reported.
   */
  readonly watchEvents: WatchProviderEvents
  /** The requests that wait for an end-user; left out where the service has no authorization server of its own. */
  readonly interactions?: Interactions
}

/** The keys of the key set: RFC 7517. No private key leaves the service. */
export type ProviderKeys = {
  /** Signs a token of the provider by the present key of its algorithm, for example an ID token or an access token. */
  readonly signToken: TokenSigner['signToken']
  /** Decrypts objects that clients encrypted to the published key: request objects (RFC 9101 §6.1). */
  readonly decryptObject: ObjectDecrypter['decryptObject']
}

export type ProviderOptions = Omit<WatchEventsPorts, 'events'> & {
  readonly data: OpenedData
  readonly ports: ServicePorts
  readonly logout: Pick<HttpSettings['logout'], 'policy' | 'sessions'>
  readonly keys: ProviderKeys
}

const clientsOf = ({ ports }: ProviderOptions): ProviderClients => ({
  recordUse: oncePerDay(ports),
  find: (clientId) => (ClientId.is(clientId) ? ports.findClient(clientId) : TE.right(O.none)),
  authenticate: authenticateClient(ports),
})

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

/** The provider interface of the service. */
export const createProvider = (options: ProviderOptions): Provider => ({
  ...options.keys,
  clients: clientsOf(options),
  authorizations: createAuthorizations(options.data),
  sessions: sessionsOf(options),
  watchEvents: watchProviderEvents({ ...options, events: options.data.store.providerEvents }),
})
