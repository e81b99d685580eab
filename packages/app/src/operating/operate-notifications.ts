// Commands on logout notifications.
import { NotificationDescription } from '@clientele/domain/logout'
import type { NotificationList, RetriedNotifications } from '@clientele/domain/operations'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Config } from '../config/settings.js'
import { operate } from './operation.js'

const NotificationListAnswer = t.type({ notices: t.readonlyArray(NotificationDescription), more: t.boolean })
const RetriedAnswer = t.type({ retried: t.number, delivers: t.boolean })

export const listNotifications = (config: Config): TE.TaskEither<string, NotificationList> =>
  operate(config, {
    path: '/logouts',
    codec: NotificationListAnswer,
  })

/** The first of them, as many as a list has. */
export const listPending = (config: Config): TE.TaskEither<string, ReadonlyArray<NotificationDescription>> =>
  pipe(
    listNotifications(config),
    TE.map(({ notices }) => notices),
  )

export const retryNotifications = (
  config: Config,
  id: string | undefined,
): TE.TaskEither<string, RetriedNotifications> =>
  operate(config, {
    path: '/logouts/retry',
    body: id === undefined ? {} : { id },
    codec: RetriedAnswer,
  })
