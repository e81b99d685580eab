// clientele logouts …: the pending logout notifications.
import { NotificationDescription, deliveryIsOff } from '@clientele/domain/logout'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Config } from '../config/settings.js'
import { operate } from './manage.js'
import { counted, printable, isoTime } from '../text.js'
import { type Command, json, asking, lines, listed } from './command.js'

const pending = {
  path: '/logouts',
  codec: t.type({ notices: t.readonlyArray(NotificationDescription), more: t.boolean }),
}

/** The first of them, as many as a list has. */
export const listPending = (config: Config): TE.TaskEither<string, ReadonlyArray<NotificationDescription>> =>
  pipe(
    operate(config, pending),
    TE.map(({ notices }) => notices),
  )

const stateText = ({ state, attempts, due_at, note }: NotificationDescription): string => {
  const tries = counted(attempts, 'try', 'tries')
  const why = note === '' ? '' : `: ${printable(note)}`
  if (state === 'failed') return `given up after ${tries}${why}`
  return due_at === undefined ? `waits after ${tries}${why}` : `after ${tries}, the next at ${isoTime(due_at)}${why}`
}

const notificationText = (notification: NotificationDescription): string =>
  lines(
    printable(notification.id),
    `  ${printable(notification.client_id)} at ${printable(notification.uri)}, owed since ${isoTime(notification.created_at)}`,
    `  ${stateText(notification)}`,
  )

export const logoutCommands: ReadonlyArray<Command> = [
  {
    name: 'logouts list',
    summary: 'show the pending logout notifications, and why they are not delivered yet',
    options: [json],
    example: 'clientele logouts list',
    run: asking(
      () => pending,
      ({ notices, more }) =>
        listed(
          notices,
          notificationText,
          'No logout notification is pending',
          more && `There are more: these are the oldest ${notices.length}`,
        ),
    ),
  },
  {
    name: 'logouts retry',
    summary: 'send the logout notifications again that the service gave up, or one of them',
    operand: { name: 'ID', description: 'the id that clientele logouts list shows', optional: true },
    options: [json],
    example: 'clientele logouts retry',
    run: asking(
      ({ operand }) => ({
        path: '/logouts/retry',
        body: { id: operand },
        codec: t.type({ retried: t.number, delivers: t.boolean }),
      }),
      ({ retried, delivers }) =>
        lines(
          retried === 0
            ? 'Nothing was given up'
            : `${counted(retried, 'notification is', 'notifications are')} due now`,
          !delivers && `Nothing is sent: ${deliveryIsOff}`,
        ),
    ),
  },
]
