import * as t from 'io-ts'
import { TokenHash } from '../authorization/credential.js'
import { ClientId } from '../client/client-id.js'
import { RegistrationId } from '../client/registration-id.js'
import { type EpochSeconds as EpochSecondsType, EpochSeconds, earlier, secondsAfter } from '../codec/epoch-seconds.js'

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
export const SessionClient = t.readonly(
  t.exact(
    t.type({
      client_id: ClientId,
      registration_id: RegistrationId,
      /** OpenID Core §8.1: a client with pairwise identifiers has its own sub. */
      sub: Subject,
      sid: Subject,
    }),
  ),
  'SessionClient',
)
export interface SessionClient extends t.TypeOf<typeof SessionClient> {}

/** A logout confirmation page that the end-user declined: until it expires, it must not end the session. */
export const DeclinedConfirmation = t.readonly(
  t.exact(t.type({ confirmation: TokenHash, expires_at: EpochSeconds })),
  'DeclinedConfirmation',
)
export interface DeclinedConfirmation extends t.TypeOf<typeof DeclinedConfirmation> {}

/** An end-user who is signed in at the provider in one browser. */
export const EndUserSession = t.readonly(
  t.exact(
    t.type({
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
    }),
  ),
  'EndUserSession',
)
export interface EndUserSession extends t.TypeOf<typeof EndUserSession> {}

/** The maximum number of declined confirmation pages in a session. */
const maxDeclined = 20

/** The maximum number of clients in a session. */
export const maxSessionClients = 100

/** The time at which the session ends without further use. */
export const sessionEnd = ({ used_at, idle_lifetime, expires_at }: EndUserSession): EpochSecondsType =>
  earlier(secondsAfter(used_at, idle_lifetime), expires_at)

export const isLive =
  (at: EpochSecondsType) =>
  (session: EndUserSession): boolean =>
    at < sessionEnd(session)

/** Seconds in which one use is recorded, or a tenth of the idle lifetime if less, so that not every request writes. */
const usesTogether = 60

/** Whether a use at the time is to be recorded. */
export const isUseDue = ({ used_at, idle_lifetime }: EndUserSession, at: number): boolean =>
  at - used_at >= Math.min(usesTogether, idle_lifetime / 10)

/** The session after a use at the time. */
export const usedSession =
  (at: EpochSecondsType) =>
  (session: EndUserSession): EndUserSession => ({ ...session, used_at: at, version: session.version + 1 })

/**
 * The session with the registration of the client, which occurs in it once: one that is present already gets the new sub
 * and sid.
 */
export const withClient =
  (client: SessionClient, at: EpochSecondsType) =>
  (session: EndUserSession): EndUserSession => ({
    ...usedSession(at)(session),
    clients: [...session.clients.filter(({ registration_id }) => registration_id !== client.registration_id), client],
  })

export const hasDeclined = ({ declined }: EndUserSession, confirmation: TokenHash): boolean =>
  declined.some((each) => each.confirmation === confirmation)

/** The session after the end-user declined the confirmation page, without expired ones. */
export const withDeclined =
  (confirmation: DeclinedConfirmation, at: EpochSecondsType) =>
  (session: EndUserSession): EndUserSession => ({
    ...session,
    declined: [...session.declined.filter(({ expires_at }) => at < expires_at), confirmation].slice(-maxDeclined),
    version: session.version + 1,
  })
