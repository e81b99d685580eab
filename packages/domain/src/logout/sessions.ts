// End-user sessions and their clients.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { TokenHash } from '../authorization/credential.js'
import { ClientId, RegistrationId } from '../client/ids.js'
import type { RuleId } from '../kernel/all-rules.js'
import { optional, valueThat } from '../kernel/faults.js'
import { type InvalidRequest, anyFault as fault, decodeBody, invalidBody } from '../kernel/refusals.js'
import { EpochSeconds, earlier, isLifetimeUpTo, secondsAfter } from '../kernel/time.js'
import { objectOf, record } from '../kernel/values.js'

export interface SubjectBrand {
  readonly Subject: unique symbol
}

/** OpenID Core §2: sub has at most 255 ASCII characters; the same limit applies to sid here. */
export const Subject = t.brand(
  t.string,
  (text): text is t.Branded<string, SubjectBrand> => /^[\x20-\x7e]{1,255}$/.test(text),
  'Subject',
)
export type Subject = t.TypeOf<typeof Subject>

/** A client that signed in the end-user through the session, and the sub and sid of its ID tokens. */
export const SessionClient = record('SessionClient', {
  client_id: ClientId,
  registration_id: RegistrationId,
  /** OpenID Core §8.1: a client with pairwise identifiers has its own sub. */
  sub: Subject,
  sid: Subject,
})
export interface SessionClient extends t.TypeOf<typeof SessionClient> {}

/** A logout confirmation page that the end-user declined: until it expires, it must not end the session. */
export const DeclinedConfirmation = record('DeclinedConfirmation', {
  confirmation: TokenHash,
  expires_at: EpochSeconds,
})
export interface DeclinedConfirmation extends t.TypeOf<typeof DeclinedConfirmation> {}

/** An end-user who is signed in at the provider in one browser. */
export const EndUserSession = record('EndUserSession', {
  sid: Subject,
  sub: Subject,
  auth_time: EpochSeconds,
  /** The last use of the session. */
  used_at: EpochSeconds,
  /** Seconds without use after which the session ends. */
  idle_lifetime: t.number,
  /** The time at which the session ends regardless of its use. */
  expires_at: EpochSeconds,
  clients: t.readonlyArray(SessionClient),
  /** The oldest first. */
  declined: t.readonlyArray(DeclinedConfirmation),
  /** Increases with every replacement, so that a store replaces only the version that was read. */
  version: t.number,
})
export interface EndUserSession extends t.TypeOf<typeof EndUserSession> {}

/** The maximum number of declined confirmation pages in a session. */
const maxDeclined = 20

/** The maximum number of clients in a session. */
export const maxSessionClients = 100

/** The time at which the session ends without further use. */
export const sessionEnd = ({ used_at, idle_lifetime, expires_at }: EndUserSession): EpochSeconds =>
  earlier(secondsAfter(used_at, idle_lifetime), expires_at)

export const isLive =
  (at: EpochSeconds) =>
  (session: EndUserSession): boolean =>
    at < sessionEnd(session)

/** Seconds in which one use is recorded, or a tenth of the idle lifetime if less, so that not every request writes. */
const usesTogether = 60

/** Whether a use at the time is to be recorded. */
export const isUseDue = ({ used_at, idle_lifetime }: EndUserSession, at: number): boolean =>
  at - used_at >= Math.min(usesTogether, idle_lifetime / 10)

/** The session after a use at the time. */
export const usedSession =
  (at: EpochSeconds) =>
  (session: EndUserSession): EndUserSession => ({ ...session, used_at: at, version: session.version + 1 })

/**
 * The session with the registration of the client, which occurs in it once: one that is present already gets the new sub
 * and sid.
 */
export const withClient =
  (client: SessionClient, at: EpochSeconds) =>
  (session: EndUserSession): EndUserSession => ({
    ...usedSession(at)(session),
    clients: [...session.clients.filter(({ registration_id }) => registration_id !== client.registration_id), client],
  })

export const hasDeclined = ({ declined }: EndUserSession, confirmation: TokenHash): boolean =>
  declined.some((each) => each.confirmation === confirmation)

/** The session after the end-user declined the confirmation page, without expired ones. */
export const withDeclined =
  (confirmation: DeclinedConfirmation, at: EpochSeconds) =>
  (session: EndUserSession): EndUserSession => ({
    ...session,
    declined: [...session.declined.filter(({ expires_at }) => at < expires_at), confirmation].slice(-maxDeclined),
    version: session.version + 1,
  })

// The requests of a login system about sessions: all faults of a body are reported.

/** The default lifetimes of a session, in seconds. */
export type SessionLifetimes = { readonly lifetime: number; readonly idleLifetime: number }

// An unknown name is refused, because a misspelled lifetime would leave the default in force.
const request = objectOf<RuleId>({ object: 'json-object', unknown: 'session-member' })

const subject = valueThat('subject', Subject.is)
const maxLifetime = 31_536_000
const lifetime = optional(valueThat('session-lifetime', isLifetimeUpTo(maxLifetime)))

const startRequest = request({ sub: subject, lifetime, idle_lifetime: lifetime })

/** POST /sessions: a new session of the end-user `sub`. */
export const readNewSession =
  (defaults: SessionLifetimes, sid: Subject, at: EpochSeconds) =>
  (body: unknown): E.Either<InvalidRequest, EndUserSession> =>
    pipe(
      decodeBody(startRequest, invalidBody)(body),
      E.map((sent) => ({
        sid,
        sub: sent.sub,
        auth_time: at,
        used_at: at,
        idle_lifetime: sent.idle_lifetime ?? defaults.idleLifetime,
        expires_at: secondsAfter(at, sent.lifetime ?? defaults.lifetime),
        clients: [],
        declined: [],
        version: 1,
      })),
    )

const clientRequest = request({
  client_id: valueThat('session-client', ClientId.is),
  sub: optional(subject),
  sid: optional(subject),
})

/** The client, with sub and sid where its ID tokens do not use those of the session. */
export type SignedInClient = typeof clientRequest._A

export const unregisteredClient: InvalidRequest = invalidBody([fault('session-client')('client_id')])

/** POST /sessions/{sid}/clients */
export const readSignedInClient = decodeBody(clientRequest, invalidBody)

const isCookie = (value: unknown): value is string => typeof value === 'string' && /^[A-Za-z0-9]{1,128}$/.test(value)

const findRequest = request({ cookie: valueThat('session-cookie', isCookie) })

/** POST /sessions/find: the value of a cookie. */
export const readCookie = (body: unknown): E.Either<InvalidRequest, string> =>
  pipe(
    decodeBody(findRequest, invalidBody)(body),
    E.map(({ cookie }) => cookie),
  )
