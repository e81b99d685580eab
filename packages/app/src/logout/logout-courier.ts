// Tells applications of logouts in the running service: at once when a session has ended, again when a notice is due, and never
// in the way of a request.
import type {
  ClientRegistry,
  DeliverLogoutsPorts,
  DeliverySettings,
  ForOperator,
  LogoutManagement,
  LogoutOutbox,
  LogoutSender,
  OutboxEntry,
  TokenSigner,
  TriedNotice,
  Unavailable,
  WrittenNotices,
} from '@clientele/domain'
import { deliverLogouts, forgetLogouts, manageLogouts } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Log } from '../observing/log.js'

export type LogoutCourier = {
  readonly notices: ForOperator<LogoutManagement>
  /** Notices may have become due. */
  readonly wake: () => void
  /** A session has ended: there may be applications to tell, and notices that were given up for newer ones. */
  readonly sessionEnded: (written: WrittenNotices) => void
  /** Begins to deliver, with what signs the tokens. */
  readonly start: (signToken: TokenSigner['signToken']) => void
  /** Begins no further try, and waits a while for those that are under way; what is not recorded is tried again later. */
  readonly stop: () => Promise<void>
}

export type LogoutCourierOptions = {
  readonly settings: DeliverySettings
  readonly outbox: LogoutOutbox
  readonly registry: Pick<ClientRegistry, 'findClient'>
  readonly fresh: Pick<DeliverLogoutsPorts, 'now' | 'identifier'>
  /** Without it nothing is sent: the notices stay, and say why. */
  readonly sender: LogoutSender | undefined
  readonly log: Log
}

type Kept = {
  deliver: TE.TaskEither<Unavailable, unknown> | undefined
  timer: NodeJS.Timeout | undefined
  /** Settles when the pass that is under way is over. */
  passing: Promise<void> | undefined
  /** Somebody woke the courier during the pass. */
  again: boolean
  stopping: boolean
  /** When it was looked for what is too old. */
  forgottenAt: number
}

const longestWait = 60_000
const shortestWait = 100
/** Seconds. */
const forgetEvery = 60
const waitAfterFailure = 10_000
const longestStop = 3_000

const tell =
  (log: Log) =>
  ({ client_id, id: notice }: OutboxEntry, tried: TriedNotice) =>
  (): void => {
    if (tried.kind === 'delivered') log.info({ client_id, notice }, 'an application was told of a logout')
    if (tried.kind === 'failed')
      log.warn(
        { client_id, notice, attempts: tried.attempts, reason: tried.note },
        'an application could not be told of a logout; clientele logouts retry makes it due again',
      )
  }

const forget = (
  { settings, outbox, fresh, log }: LogoutCourierOptions,
  kept: Kept,
): TE.TaskEither<Unavailable, void> => {
  const at = fresh.now()
  if (Math.abs(at - kept.forgottenAt) < forgetEvery) return TE.right(undefined)
  return pipe(
    forgetLogouts(settings, { ...outbox, now: fresh.now }),
    TE.map((forgotten) => {
      kept.forgottenAt = at
      if (forgotten > 0) log.warn({ forgotten }, 'notices of logouts were given up: nobody could take them in time')
    }),
  )
}

const waitUntilDue = ({ outbox, fresh, sender }: LogoutCourierOptions): TE.TaskEither<Unavailable, number> =>
  pipe(
    sender === undefined ? TE.right(O.none) : outbox.nextDue,
    TE.map(
      O.match(
        () => longestWait,
        (due) => Math.max(shortestWait, Math.min(longestWait, (due - fresh.now()) * 1000)),
      ),
    ),
  )

/** Does what is due, and says how long to wait. */
const pass = async (options: LogoutCourierOptions, kept: Kept): Promise<number> => {
  const outcome = await pipe(
    forget(options, kept),
    TE.flatMap(() => kept.deliver ?? TE.right(undefined)),
    TE.flatMap(() => waitUntilDue(options)),
    // A defect must not end the deliveries.
    (task) => task().catch((detail: unknown) => E.left({ error: 'defect', detail })),
  )
  if (E.isRight(outcome)) return outcome.right
  // Because a try may outlive the stop, and the store does not.
  if (!kept.stopping)
    options.log.error({ detail: outcome.left.detail }, 'logouts could not be told of; it is tried again')
  return waitAfterFailure
}

const schedule = (options: LogoutCourierOptions, kept: Kept, wait: number): void => {
  clearTimeout(kept.timer)
  if (!kept.stopping) kept.timer = setTimeout(() => look(options, kept), wait).unref()
}

const look = (options: LogoutCourierOptions, kept: Kept): void => {
  if (kept.deliver === undefined) return
  kept.passing = pass(options, kept).then((wait) => {
    kept.passing = undefined
    schedule(options, kept, kept.again ? 0 : wait)
    kept.again = false
  })
}

const wakeUp = (options: LogoutCourierOptions, kept: Kept): void => {
  if (kept.passing === undefined) schedule(options, kept, 0)
  else kept.again = true
}

const delivering = (
  { settings, outbox, registry, fresh, sender, log }: LogoutCourierOptions,
  kept: Kept,
  signToken: TokenSigner['signToken'],
): TE.TaskEither<Unavailable, unknown> => {
  if (sender === undefined) return TE.right(undefined)
  const watched = { isStopping: () => kept.stopping, tellTry: tell(log) }
  return deliverLogouts(settings, { ...outbox, ...registry, ...sender, ...fresh, ...watched, signToken })
}

const stop = async (kept: Kept): Promise<void> => {
  kept.stopping = true
  clearTimeout(kept.timer)
  let timer: NodeJS.Timeout | undefined
  const impatience = new Promise<void>((resolve) => (timer = setTimeout(resolve, longestStop)))
  await Promise.race([kept.passing, impatience])
  clearTimeout(timer)
}

export const createLogoutCourier = (options: LogoutCourierOptions): LogoutCourier => {
  const kept: Kept = {
    deliver: undefined,
    timer: undefined,
    passing: undefined,
    again: false,
    stopping: false,
    forgottenAt: 0,
  }
  const managed = manageLogouts(
    { delivers: options.sender !== undefined },
    { ...options.outbox, now: options.fresh.now },
  )
  const wake = (): void => wakeUp(options, kept)
  return {
    notices: (operator) => {
      const { listNotices, retry } = managed(operator)
      return {
        listNotices,
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
        options.log.warn({ forgotten: gaveWay }, 'notices of logouts gave way to newer ones: see docs/logout.md')
      wake()
    },
    start: (signToken) => {
      kept.deliver = delivering(options, kept, signToken)
      wake()
    },
    stop: () => stop(kept),
  }
}
