// Notifies applications of logouts: when a session has ended here, and when a notification is due. Requests do not wait.
import type { Unavailable } from '@clientele/domain/kernel'
import {
  type ByRequest,
  type DeliverySettings,
  type NotificationManagement,
  deliverNotifications,
  purgeNotifications,
} from '@clientele/domain/operations'
import type { TokenSigner, WrittenNotifications } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Log } from '../observing/log.js'
import { logForgotten, logGivenWay, logTry } from './logout-log.js'
import { type ManagedNotificationsOptions, managedNotifications } from './managed-notifications.js'

export type LogoutDispatcher = {
  readonly notifications: ByRequest<'deliveries', NotificationManagement>
  /** Called when notifications may be due. */
  readonly wake: () => void
  /**
   * Called after a session ended: there may be notifications to deliver, and some that were removed because of the
   * limits.
   */
  readonly sessionEnded: (written: WrittenNotifications) => void
  /** Starts deliveries, with the signer of the tokens. */
  readonly start: (signToken: TokenSigner['signToken']) => void
  /**
   * Begins no further attempt, and waits for a limited time for those under way; unrecorded ones are repeated later.
   */
  readonly stop: () => Promise<void>
}

export type LogoutDispatcherOptions = ManagedNotificationsOptions & {
  readonly settings: DeliverySettings
  readonly log: Log
}

type State = {
  deliver: TE.TaskEither<Unavailable, unknown> | undefined
  timer: NodeJS.Timeout | undefined
  /** Settles at the end of the present pass. */
  passing: Promise<void> | undefined
  /** Whether the dispatcher was woken during the pass. */
  again: boolean
  stopping: boolean
  /** The last removal of old notifications. */
  forgottenAt: number
}

/** Milliseconds between two reads of pending notifications, because other instances write them as well. */
export const lookInterval = 3_000
const minWait = 100
const forgetInterval = 60 // seconds
const waitAfterFailure = 10_000
const maxStop = 3_000

const forget = ({ settings, ports, log }: LogoutDispatcherOptions, state: State): TE.TaskEither<Unavailable, void> => {
  const at = ports.now()
  if (Math.abs(at - state.forgottenAt) < forgetInterval) return TE.right(undefined)
  return pipe(
    purgeNotifications(settings, ports),
    TE.map((forgotten) => {
      state.forgottenAt = at
      logForgotten(log, forgotten)
    }),
  )
}

const waitUntilDue = ({ settings, ports, sender }: LogoutDispatcherOptions): TE.TaskEither<Unavailable, number> => {
  if (sender === undefined) return TE.right(forgetInterval * 1_000)
  return pipe(
    ports.nextDue(ports.now(), settings.instance),
    TE.map(
      O.match(
        () => lookInterval,
        (due) => Math.max(minWait, Math.min(lookInterval, (due - ports.now()) * 1_000)),
      ),
    ),
  )
}

/** Makes a pass, and returns the time until the next one. */
const dispatchDue = async (options: LogoutDispatcherOptions, state: State): Promise<number> => {
  const outcome = await pipe(
    forget(options, state),
    TE.flatMap(() => state.deliver ?? TE.right(undefined)),
    TE.flatMap(() => waitUntilDue(options)),
    // A defect must not end the deliveries.
    (task) => task().catch((detail: unknown) => E.left({ error: 'defect', detail })),
  )
  if (E.isRight(outcome)) return outcome.right
  // An attempt may outlive the stop, but the store does not.
  if (!state.stopping)
    options.log.error({ detail: outcome.left.detail }, 'logouts could not be told of; it is tried again')
  return waitAfterFailure
}

const schedule = (options: LogoutDispatcherOptions, state: State, wait: number): void => {
  clearTimeout(state.timer)
  if (!state.stopping) state.timer = setTimeout(() => look(options, state), wait).unref()
}

const look = (options: LogoutDispatcherOptions, state: State): void => {
  if (state.deliver === undefined) return
  state.passing = dispatchDue(options, state).then((wait) => {
    state.passing = undefined
    schedule(options, state, state.again ? 0 : wait)
    state.again = false
  })
}

const wakeUp = (options: LogoutDispatcherOptions, state: State): void => {
  if (state.passing === undefined) schedule(options, state, 0)
  else state.again = true
}

const delivering = (
  { settings, ports, sender, log }: LogoutDispatcherOptions,
  state: State,
  signToken: TokenSigner['signToken'],
): TE.TaskEither<Unavailable, unknown> => {
  if (sender === undefined) return TE.right(undefined)
  const watched = { isStopping: () => state.stopping, reportTry: logTry(log) }
  return deliverNotifications(settings, { ...ports, ...sender, ...watched, signToken })
}

const stop = async (state: State): Promise<void> => {
  state.stopping = true
  clearTimeout(state.timer)
  let timer: NodeJS.Timeout | undefined
  const impatience = new Promise<void>((resolve) => (timer = setTimeout(resolve, maxStop)))
  await Promise.race([state.passing, impatience])
  clearTimeout(timer)
}

export const createLogoutDispatcher = (options: LogoutDispatcherOptions): LogoutDispatcher => {
  const state: State = {
    deliver: undefined,
    timer: undefined,
    passing: undefined,
    again: false,
    stopping: false,
    forgottenAt: 0,
  }
  const wake = (): void => wakeUp(options, state)
  return {
    notifications: managedNotifications(options, wake),
    wake,
    sessionEnded: (written) => {
      logGivenWay(options.log, written)
      wake()
    },
    start: (signToken) => {
      state.deliver = delivering(options, state, signToken)
      wake()
    },
    stop: () => stop(state),
  }
}
