// Notifies applications of logouts: when a session has ended here, and when a notification is due. Requests do not wait.
import type { OutboundOptions } from '@clientele/adapters-outbound'
import type { Unavailable } from '@clientele/domain/kernel'
import { type AttemptedNotification, type PendingNotification, defaultDelivery } from '@clientele/domain/logout'
import {
  type AuditPorts,
  type ByRequest,
  type DeliverySettings,
  type NotificationManagement,
  deliverNotifications,
  manageNotifications,
  purgeNotifications,
} from '@clientele/domain/operations'
import type {
  ClientRegistry,
  CredentialGenerator,
  LogoutSender,
  PendingNotifications,
  TokenSigner,
  WrittenNotifications,
} from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { keySettings } from '../config/keys.js'
import { logoutSender } from '../config/outbound.js'
import type { Config } from '../config/settings.js'
import { isLoopbackUrl } from '../config/values.js'
import type { OpenedData } from '../data/open-data.js'
import type { Log } from '../observing/log.js'
import { type WakenPasses, createRepeatedPasses } from './passes.js'

export type LogoutDispatcher = {
  /** What operators do with notifications; a retry wakes the deliveries. */
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

export type LogoutDispatcherOptions = {
  readonly settings: DeliverySettings
  readonly ports: PendingNotifications & ClientRegistry & CredentialGenerator & AuditPorts
  /** Without a sender, nothing is sent: the notifications stay pending, with the reason. */
  readonly sender: LogoutSender | undefined
  readonly log: Log
}

type State = {
  /** The deliveries, from their start on. */
  passes: WakenPasses | undefined
  /** The last removal of old notifications. */
  forgottenAt: number
}

/** Milliseconds between two reads of pending notifications, because other instances write them as well. */
export const lookInterval = 3_000
const minWait = 100
const forgetInterval = 60 // seconds
const waitAfterFailure = 10_000
const maxStop = 3_000

// Without the end-user.
const logTry =
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

const forget = ({ settings, ports, log }: LogoutDispatcherOptions, state: State): TE.TaskEither<Unavailable, void> => {
  const at = ports.now()
  if (Math.abs(at - state.forgottenAt) < forgetInterval) return TE.right(undefined)
  return pipe(
    purgeNotifications(settings, ports),
    TE.map((forgotten) => {
      state.forgottenAt = at
      if (forgotten > 0)
        log.warn({ forgotten }, 'logout notifications were given up: their receivers did not take them in time')
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

type Deliver = TE.TaskEither<Unavailable, unknown>

/** Makes a pass, and returns the time until the next one. */
const dispatchDue = async (
  options: LogoutDispatcherOptions,
  state: State,
  deliver: Deliver,
  isStopping: () => boolean,
): Promise<number> => {
  const outcome = await pipe(
    forget(options, state),
    TE.flatMap(() => deliver),
    TE.flatMap(() => waitUntilDue(options)),
    // A defect must not end the deliveries.
    (task) => task().catch((detail: unknown) => E.left({ error: 'defect', detail })),
  )
  if (E.isRight(outcome)) return outcome.right
  // An attempt may outlive the stop, but the store does not.
  if (!isStopping())
    options.log.error({ detail: outcome.left.detail }, 'logouts could not be told of; it is tried again')
  return waitAfterFailure
}

export const createLogoutDispatcher = (options: LogoutDispatcherOptions): LogoutDispatcher => {
  const { settings, ports, sender, log } = options
  const state: State = { passes: undefined, forgottenAt: 0 }
  const wake = (): void => state.passes?.wake()
  const managed = manageNotifications({ delivers: sender !== undefined }, ports)
  return {
    notifications: (operator, request) => {
      const { listNotifications, retry } = managed(operator, request)
      return {
        listNotifications,
        retry: (id) =>
          pipe(
            retry(id),
            TE.tapIO(() => wake),
          ),
      }
    },
    wake,
    sessionEnded: ({ gaveWay }) => {
      if (gaveWay > 0)
        log.warn({ forgotten: gaveWay }, 'logout notifications gave way to newer ones: see docs/use/logout.md')
      wake()
    },
    start: (signToken) => {
      state.passes = createRepeatedPasses(0, (isStopping) => {
        const watched = { isStopping, reportTry: logTry(log) }
        const deliver =
          sender === undefined
            ? TE.right(undefined)
            : deliverNotifications(settings, { ...ports, ...sender, ...watched, signToken })
        return dispatchDue(options, state, deliver, isStopping)
      })
      state.passes.start()
    },
    stop: async () => {
      let timer: NodeJS.Timeout | undefined
      const impatience = new Promise<void>((resolve) => (timer = setTimeout(resolve, maxStop)))
      await Promise.race([state.passes?.stop(), impatience])
      clearTimeout(timer)
    },
  }
}

export type ServiceDispatcherOptions = {
  readonly config: Config
  readonly data: OpenedData
  readonly outbound: Partial<OutboundOptions> | undefined
  readonly log: Log
}

/** The dispatcher of the settings; it opens no connection while outbound fetches are off. */
export const serviceDispatcher = (options: ServiceDispatcherOptions): LogoutDispatcher => {
  const { config, data, outbound, log } = options
  const isOnLoopback = isLoopbackUrl(config['base-url'])
  return createLogoutDispatcher({
    settings: {
      delivery: defaultDelivery,
      keyPolicy: keySettings(config).policy,
      instance: data.generator.identifier(),
      isOnLoopback,
    },
    ports: data.operations,
    sender: logoutSender(config, isOnLoopback, outbound),
    log,
  })
}
