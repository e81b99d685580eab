// Log entries about logout notifications, without the end-user.
import type { AttemptedNotification, PendingNotification } from '@clientele/domain/logout'
import type { WrittenNotifications } from '@clientele/domain/ports'
import type { Log } from '../observing/log.js'

export const logTry =
  (log: Log) =>
  ({ client_id, id: notice }: PendingNotification, tried: AttemptedNotification) =>
  (): void => {
    if (tried.kind === 'delivered') log.info({ client_id, notice }, 'an application was told of a logout')
    if (tried.kind === 'failed')
      log.warn(
        { client_id, notice, attempts: tried.attempts, reason: tried.note },
        'an application could not be told of a logout; clientele logouts retry makes it due again',
      )
  }

export const logForgotten = (log: Log, forgotten: number): void => {
  if (forgotten > 0)
    log.warn({ forgotten }, 'logout notifications were given up: their receivers did not take them in time')
}

export const logGivenWay = (log: Log, { gaveWay }: WrittenNotifications): void => {
  if (gaveWay > 0) log.warn({ forgotten: gaveWay }, 'logout notifications gave way to newer ones: see docs/logout.md')
}
