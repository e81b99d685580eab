// clientele logouts …: the pending logout notifications.
import { NotificationDescription, deliveryIsOff } from '@clientele/domain/logout'
import type { NotificationList, RetriedNotifications } from '@clientele/domain/operations'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Config } from '../config/settings.js'
import { operate } from '../manage/manage.js'
import { counted, printable, isoTime } from '../text.js'
import { json, type Command } from './command.js'
import { answering } from './with-settings.js'

const NotificationListAnswer = t.type({ notices: t.readonlyArray(NotificationDescription), more: t.boolean })
const RetriedAnswer = t.type({ retried: t.number, delivers: t.boolean })

const listNotifications = (config: Config): TE.TaskEither<string, NotificationList> =>
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

const retryNotifications = (config: Config, id: string | undefined): TE.TaskEither<string, RetriedNotifications> =>
  operate(config, {
    path: '/logouts/retry',
    body: id === undefined ? {} : { id },
    codec: RetriedAnswer,
  })

const stateText = ({ state, attempts, due_at, note }: NotificationDescription): string => {
  const tries = counted(attempts, 'try', 'tries')
  const why = note === '' ? '' : `: ${printable(note)}`
  if (state === 'failed') return `given up after ${tries}${why}`
  return due_at === undefined ? `waits after ${tries}${why}` : `after ${tries}, the next at ${isoTime(due_at)}${why}`
}

const notificationText = (notification: NotificationDescription): string =>
  [
    printable(notification.id),
    `  ${printable(notification.client_id)} at ${printable(notification.uri)}, owed since ${isoTime(notification.created_at)}`,
    `  ${stateText(notification)}`,
  ].join('\n')

const notificationListText = ({ notices, more }: NotificationList): string =>
  notices.length === 0
    ? 'No logout notification is pending'
    : [
        ...notices.map(notificationText),
        ...(more ? [`There are more: these are the oldest ${notices.length}`] : []),
      ].join('\n')

const retriedText = ({ retried, delivers }: RetriedNotifications): string =>
  [
    retried === 0 ? 'Nothing was given up' : `${counted(retried, 'notification is', 'notifications are')} due now`,
    ...(delivers ? [] : [`Nothing is sent: ${deliveryIsOff}`]),
  ].join('\n')

const list = answering(listNotifications, notificationListText)

const retry = answering((config, { operand }) => retryNotifications(config, operand), retriedText)

export const logoutCommands: ReadonlyArray<Command> = [
  {
    name: 'logouts list',
    summary: 'show the pending logout notifications, and why they are not delivered yet',
    options: [json],
    example: 'clientele logouts list',
    run: list,
  },
  {
    name: 'logouts retry',
    summary: 'send those again that were given up, or one of them',
    operand: { name: 'ID', description: 'the id that clientele logouts list shows', optional: true },
    options: [json],
    example: 'clientele logouts retry',
    run: retry,
  },
]
