// Pending notifications of an ended session.
import {
  secondsAfter,
  defaultNotificationLimits,
  type EpochSeconds,
  type LogoutNotification,
  type PendingNotification,
} from '@clientele/domain'
import { exampleHash, exampleNotification, exampleSession, exampleTime } from '../examples/examples.js'
import { type StoreHandle, done } from './open-store.js'

/** The ports in use; the client `a` must be registered. */
export type Owing = 'registry' | 'endUserSessions' | 'sessionTermination' | 'pendingNotifications'

export const at = (seconds: number): EpochSeconds => secondsAfter(exampleTime, seconds)

/** A notification to `a` before the first attempt, created so many seconds after the example's time. */
export const owedEntry = (
  id: string,
  created = 0,
  changes: Partial<PendingNotification> = {},
): PendingNotification => ({
  ...exampleNotification(id, 'a'),
  created_at: at(created),
  attempts: 0,
  due_at: at(created),
  failed: false,
  note: '',
  ...changes,
})

const notificationOf = ({
  id,
  client_id,
  registration_id,
  uri,
  alg,
  sub,
  sid,
  created_at,
}: PendingNotification): LogoutNotification => ({
  id,
  client_id,
  registration_id,
  uri,
  alg,
  sub,
  sid,
  created_at,
})

/** Ends a session with these notifications, in the given order. */
export const owe = async (
  { endUserSessions, sessionTermination }: Pick<StoreHandle, Owing>,
  ...entries: ReadonlyArray<PendingNotification>
): Promise<void> => {
  const session = exampleSession('one', ['a'])
  await done(endUserSessions.addSession(session, exampleHash('cookie'), exampleTime))
  const notifications = entries.map(notificationOf)
  await done(
    sessionTermination.endSession({
      session,
      notifications,
      notificationLimits: defaultNotificationLimits,
      revokesOfflineAccess: false,
    }),
  )
}
