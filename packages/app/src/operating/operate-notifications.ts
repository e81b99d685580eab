// Commands on logout notifications.
import { NotificationDescription } from '@clientele/domain/logout'
import {
  type NotificationList,
  type NotificationManagement,
  type RetriedNotifications,
  manageNotifications,
} from '@clientele/domain/operations'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { commandOrigin } from '../audit/command-origin.js'
import type { Config } from '../config/settings.js'
import { portsOf } from '../data/operation-ports.js'
import type { OpenedData } from '../data/open-data.js'
import { operate } from './operation.js'

const NotificationListAnswer = t.type({ notices: t.readonlyArray(NotificationDescription), more: t.boolean })
const RetriedAnswer = t.type({ retried: t.number, delivers: t.boolean })

const management = (config: Config, data: OpenedData): NotificationManagement =>
  manageNotifications({ delivers: config['outbound-fetches'] }, portsOf(config, data))(data.operator, {
    origin: commandOrigin(),
  })

export const listNotifications = (config: Config): TE.TaskEither<string, NotificationList> =>
  operate(config, {
    path: '/logouts',
    codec: NotificationListAnswer,
    onStore: (data) => management(config, data).listNotifications,
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
    onStore: (data) => management(config, data).retry(O.fromNullable(id)),
  })
