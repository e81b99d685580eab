import { type Encryption, type EpochSeconds, EndUserSession, sessionEnd } from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type ReadRow, unreadableRow } from './read-row.js'
import { requireProof, rowContext } from './row-context.js'

/** The columns that are derived from the session; the hash of its cookie is stored beside them. */
export type SessionRow = Omit<EndUserSession, 'clients' | 'declined'> & {
  readonly declined: string
  readonly over_at: EpochSeconds
}

export const toSessionRow = (session: EndUserSession): SessionRow => ({
  sid: session.sid,
  sub: session.sub,
  auth_time: session.auth_time,
  used_at: session.used_at,
  idle_lifetime: session.idle_lifetime,
  expires_at: session.expires_at,
  over_at: sessionEnd(session),
  declined: JSON.stringify(session.declined),
  version: session.version,
})

type Lasting = Pick<EndUserSession, 'sid' | 'sub' | 'auth_time' | 'idle_lifetime' | 'expires_at'>

/** The context of the proof of a session: end-user, cookie and lifetimes; its last use is not part of it. */
export const sessionContext = (
  cookieHash: string,
  { sid, sub, auth_time, idle_lifetime, expires_at }: Lasting,
): string => rowContext('end_user_sessions', [cookieHash, sid, sub, auth_time, idle_lifetime, expires_at])

const Columns = t.type({ clients: t.string, declined: t.string, cookie_hash: t.string, proof: t.string })

export const unreadableSession = unreadableRow('an end-user session cannot be read')

const json = (text: string): unknown => O.toUndefined(O.tryCatch((): unknown => JSON.parse(text)))

/** The session of a row; none if a part cannot be read. */
export const fromSessionRow =
  (encryption: Encryption): ReadRow<EndUserSession> =>
  (row) => {
    if (!Columns.is(row)) return TE.left(unreadableSession)
    const { cookie_hash, proof, ...columns } = row
    const session = { ...columns, clients: json(row.clients), declined: json(row.declined) }
    if (!EndUserSession.is(session)) return TE.left(unreadableSession)
    return pipe(
      requireProof(encryption, proof, sessionContext(cookie_hash, session), unreadableSession),
      TE.map(() => session),
    )
  }
