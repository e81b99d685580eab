// Notices that a session, when it ends, leaves to be delivered.
import {
  secondsAfter,
  usualNoticeLimits,
  type EpochSeconds,
  type LogoutNotice,
  type OutboxEntry,
} from '@clientele/domain'
import { exampleHash, exampleNotice, exampleSession, exampleTime } from '../examples/examples.js'
import { type StoreHandle, done } from './open-store.js'

/** The ports that are used; the client `a` must be registered. */
export type Owing = 'registry' | 'endUserSessions' | 'logouts' | 'logoutOutbox'

export const at = (seconds: number): EpochSeconds => secondsAfter(exampleTime, seconds)

/** A notice to `a` before the first try, created so many seconds after the example's time. */
export const owedEntry = (id: string, created = 0, changes: Partial<OutboxEntry> = {}): OutboxEntry => ({
  ...exampleNotice(id, 'a'),
  created_at: at(created),
  attempts: 0,
  due_at: at(created),
  failed: false,
  note: '',
  ...changes,
})

const noticeOf = ({ id, client_id, uri, alg, sub, sid, created_at }: OutboxEntry): LogoutNotice => ({
  id,
  client_id,
  uri,
  alg,
  sub,
  sid,
  created_at,
})

/** Ends a session that owes these, in the order in which they are given. */
export const owe = async (
  { endUserSessions, logouts }: Pick<StoreHandle, Owing>,
  ...entries: ReadonlyArray<OutboxEntry>
): Promise<void> => {
  const session = exampleSession('one', ['a'])
  await done(endUserSessions.addSession(session, exampleHash('cookie'), exampleTime))
  const notices = entries.map(noticeOf)
  await done(logouts.endSession({ session, notices, noticeLimits: usualNoticeLimits, revokesOfflineAccess: false }))
}
