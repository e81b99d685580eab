import * as t from 'io-ts'
import { TokenHash } from '../authorization/token-hash.js'
import { ClientId } from '../client/client-id.js'
import { type EpochSeconds as EpochSecondsType, EpochSeconds, earlier, secondsAfter } from '../codec/epoch-seconds.js'

export interface SubjectBrand {
  readonly Subject: unique symbol
}

/** OpenID Core §2: sub is at most 255 ASCII characters; the same is asked of sid. */
export const Subject = t.brand(
  t.string,
  (text): text is t.Branded<string, SubjectBrand> => /^[\x20-\x7e]{1,255}$/.test(text),
  'Subject',
)
export type Subject = t.TypeOf<typeof Subject>

/** A client that signed the end-user in through the session, and how its ID tokens name the two. */
export const SessionClient = t.readonly(
  t.exact(
    t.type({
      client_id: ClientId,
      /** OpenID Core §8.1: another one than the session's for a client with pairwise identifiers. */
      sub: Subject,
      sid: Subject,
    }),
  ),
  'SessionClient',
)
export interface SessionClient extends t.TypeOf<typeof SessionClient> {}

/** A logout dialog that the end-user answered with stay: until it expires, it must not end the session after all. */
export const DeclinedDialog = t.readonly(
  t.exact(t.type({ dialog: TokenHash, expires_at: EpochSeconds })),
  'DeclinedDialog',
)
export interface DeclinedDialog extends t.TypeOf<typeof DeclinedDialog> {}

/** An end-user who is signed in at the provider in one browser. */
export const EndUserSession = t.readonly(
  t.exact(
    t.type({
      sid: Subject,
      sub: Subject,
      auth_time: EpochSeconds,
      /** When the session was used last. */
      used_at: EpochSeconds,
      /** Seconds without use after which it is over. */
      idle_lifetime: t.number,
      /** When it is over, however much it is used. */
      expires_at: EpochSeconds,
      clients: t.readonlyArray(SessionClient),
      /** The oldest first. */
      declined: t.readonlyArray(DeclinedDialog),
      /** Rises with every replacement, so that a store replaces only the version that was read. */
      version: t.number,
    }),
  ),
  'EndUserSession',
)
export interface EndUserSession extends t.TypeOf<typeof EndUserSession> {}

/** So many declined dialogs a session remembers at most; those of one browser alone, each answered by its end-user. */
const maxDeclined = 20

/** So many clients a session has at most. */
export const mostSessionClients = 100

/** When the session is over, if nobody uses it before. */
export const endOf = ({ used_at, idle_lifetime, expires_at }: EndUserSession): EpochSecondsType =>
  earlier(secondsAfter(used_at, idle_lifetime), expires_at)

export const isLive =
  (at: EpochSecondsType) =>
  (session: EndUserSession): boolean =>
    at < endOf(session)

/** The session as somebody used it at the time. */
export const used =
  (at: EpochSecondsType) =>
  (session: EndUserSession): EndUserSession => ({ ...session, used_at: at, version: session.version + 1 })

/** The session with the client, which stands in it once; a client that is there already is told anew. */
export const withClient =
  (client: SessionClient, at: EpochSecondsType) =>
  (session: EndUserSession): EndUserSession => ({
    ...used(at)(session),
    clients: [...session.clients.filter(({ client_id }) => client_id !== client.client_id), client],
  })

export const hasDeclined = ({ declined }: EndUserSession, dialog: TokenHash): boolean =>
  declined.some((each) => each.dialog === dialog)

/** The session whose end-user answered the dialog with stay; dialogs that have expired are forgotten. */
export const withDeclined =
  (dialog: DeclinedDialog, at: EpochSecondsType) =>
  (session: EndUserSession): EndUserSession => ({
    ...session,
    declined: [...session.declined.filter(({ expires_at }) => at < expires_at), dialog].slice(-maxDeclined),
    version: session.version + 1,
  })
