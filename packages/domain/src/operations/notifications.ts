// Notifications of clients about ended sessions.
import * as E from 'fp-ts/lib/Either.js'
import type * as IO from 'fp-ts/lib/IO.js'
import * as O from 'fp-ts/lib/Option.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { isSymmetricSignature } from '../client/keys.js'
import { fetchedUriFault, notifiedUriFault } from '../client/uris.js'
import { type Unavailable, type UnknownNotification, unknownNotification } from '../kernel/refusals.js'
import { type EpochSeconds, secondsAfter, secondsBefore } from '../kernel/time.js'
import type { KeyPolicy } from '../keys/ring.js'
import type { SigningRefusal, UnsignedToken } from '../keys/signing.js'
import {
  type AttemptedNotification,
  type DeliveryPolicy,
  type DeliveryResult,
  type NotificationDescription,
  type PendingNotification,
  decideDelivery,
  decideOthers,
  describeNotification,
  logoutToken,
  postpone,
  receiverOf,
} from '../logout/notifications.js'
import { signingSecret } from '../logout/hint.js'
import type { Answer, Clock, CredentialGenerator, LogoutSender, NoSuchRing, TokenSigner } from '../ports/outside.js'
import type { ClientRegistry, PendingNotifications } from '../ports/store.js'
import { type AuditPorts, type ByRequest, auditedBy } from './audit.js'
import { mapConcurrently } from './conflicts.js'
import { findClients } from './sessions.js'

// One pass over the due notifications: OpenID Back-Channel Logout §2.5. Several receivers are notified concurrently,
// each with one logout token at a time; a receiver that is down does not delay the others.

export type DeliverySettings = {
  readonly delivery: DeliveryPolicy
  readonly keyPolicy: Pick<KeyPolicy, 'retention'>
  /** This instance, among those that deliver notifications of the same store. */
  readonly instance: string
  /** Whether the base URL is on loopback now: only then are clients on the same machine notified by http. */
  readonly isOnLoopback: boolean
}

export type DeliverNotificationsPorts = PendingNotifications &
  ClientRegistry &
  LogoutSender &
  TokenSigner &
  CredentialGenerator & {
    /** Whether the service stops, so that no further attempt begins. */
    readonly isStopping: IO.IO<boolean>
    /** Called with the result of an attempt after it is stored. */
    readonly reportTry: (entry: PendingNotification, tried: AttemptedNotification) => IO.IO<void>
  }

type Delivering = DeliverySettings & { readonly ports: DeliverNotificationsPorts; readonly begunAt: EpochSeconds }
type Recorded = Answer<void>

const nothing: Recorded = TE.right(undefined)

const unsigned = (alg: string, refusal: SigningRefusal | NoSuchRing | Unavailable): DeliveryResult => {
  switch (refusal.error) {
    case 'no_such_ring':
    case 'ring_closed':
      return { kind: 'impossible', reason: `no key signs with ${alg}: see signing-algorithms` }
    case 'ring_not_open':
      return { kind: 'too_early', until: refusal.opensAt, reason: `the key of ${alg} does not sign yet` }
    case 'not_the_signing_key':
    case 'no_time':
    case 'good_for_too_long':
    case 'unavailable':
      return { kind: 'unsigned', reason: 'the logout token could not be signed' }
  }
}

// Back-Channel Logout §2.4: signed as the client's ID tokens are, by its present secret.
const withSecret = (
  ports: DeliverNotificationsPorts,
  { alg, client_id, registration_id }: PendingNotification,
  token: UnsignedToken,
): TE.TaskEither<DeliveryResult, UnsignedToken> =>
  pipe(
    findClients(ports)([client_id]),
    TE.mapLeft((refusal) => unsigned(alg, refusal)),
    TE.flatMapEither((clients): E.Either<DeliveryResult, UnsignedToken> => {
      const client = clients.find((each) => each.registration_id === registration_id)
      const secret = client === undefined ? undefined : signingSecret(alg, client)
      return secret === undefined
        ? E.left({ kind: 'impossible', reason: `the client has no client_secret that signs with ${alg} any more` })
        : E.right({ ...token, secret })
    }),
  )

const send =
  ({ ports, keyPolicy, isOnLoopback }: Delivering, entry: PendingNotification): T.Task<DeliveryResult> =>
  () => {
    // The stored URI is judged by the present rules, and at the present base URL.
    const uriFault = isOnLoopback ? notifiedUriFault : fetchedUriFault
    if (uriFault(entry.uri) !== undefined)
      return Promise.resolve({ kind: 'impossible', reason: 'backchannel_logout_uri would not be registered today' })
    const token = logoutToken(keyPolicy, entry, ports.identifier(), ports.now())
    return pipe(
      isSymmetricSignature(entry.alg) ? withSecret(ports, entry, token) : TE.right(token),
      TE.flatMap((whole) =>
        pipe(
          ports.signToken(whole),
          TE.mapLeft((refusal) => unsigned(entry.alg, refusal)),
        ),
      ),
      TE.matchE(T.of, (signed) => ports.sendLogoutToken(entry.uri, signed)),
    )()
  }

// Results are stored one by one: a crash repeats few attempts.
const tryFirst =
  (delivering: Delivering, entry: PendingNotification, others: ReadonlyArray<PendingNotification>) =>
  (result: DeliveryResult): Recorded => {
    const { ports, delivery, instance } = delivering
    const at = ports.now()
    const tried = decideDelivery(delivery, at)(entry, result, others)
    const postponed = decideOthers(delivery, at)(entry, result, others)
    return pipe(
      ports.recordTries(instance, [tried, ...(postponed ?? [])]),
      TE.tapIO(() => ports.reportTry(entry, tried)),
      TE.flatMap(() => (postponed === undefined ? deliverTo(delivering)(others) : nothing)),
    )
  }

/**
 * The result for notifications whose attempts no longer begin in this pass: unchanged or postponed. Undefined where one
 * begins.
 */
const decideUnbegun = (
  { ports, delivery, begunAt }: Delivering,
  entries: ReadonlyArray<PendingNotification>,
): ReadonlyArray<AttemptedNotification> | undefined => {
  if (ports.isStopping()) return entries.map((entry) => postpone(entry.due_at)(entry))
  const at = ports.now()
  return at > secondsAfter(begunAt, delivery.passLength) ? entries.map(postpone(at)) : undefined
}

const deliverTo =
  (delivering: Delivering) =>
  (entries: ReadonlyArray<PendingNotification>): Recorded =>
  () => {
    const [entry, ...others] = entries
    if (entry === undefined) return nothing()
    const unbegun = decideUnbegun(delivering, entries)
    return unbegun === undefined
      ? pipe(TE.fromTask(send(delivering, entry)), TE.flatMap(tryFirst(delivering, entry, others)))()
      : delivering.ports.recordTries(delivering.instance, unbegun)()
  }

// Notifications with the fewest failures come first, so that one with a failure of its own does not block the others.
const byReceiver = (entries: ReadonlyArray<PendingNotification>): ReadonlyArray<ReadonlyArray<PendingNotification>> => {
  const addressed = [...entries]
    .sort((one, other) => one.attempts - other.attempts)
    .map((entry) => ({ entry, receiver: receiverOf(entry) }))
  return [...new Set(addressed.map(({ receiver }) => receiver))].map((each) =>
    addressed.filter(({ receiver }) => receiver === each).map(({ entry }) => entry),
  )
}

/** Claims the due notifications, attempts them, and returns their number. */
export const deliverNotifications =
  (settings: DeliverySettings, ports: DeliverNotificationsPorts): Answer<number> =>
  () => {
    // Read before the claim, so that the claim does not end early.
    const begunAt = ports.now()
    const { maxInPass, claimLength, concurrency } = settings.delivery
    const claim = { holder: settings.instance, until: secondsAfter(begunAt, claimLength) }
    return pipe(
      ports.claimDue(begunAt, claim, maxInPass),
      TE.flatMap((due) =>
        pipe(
          byReceiver(due).map(deliverTo({ ...settings, ports, begunAt })),
          mapConcurrently(concurrency),
          T.map(E.sequenceArray),
          TE.map(() => due.length),
        ),
      ),
    )()
  }

// Management of pending logout notifications by the operator; no answer names the end-user.

export type NotificationList = {
  /** The oldest first. */
  readonly notices: ReadonlyArray<NotificationDescription>
  /** Whether there are notifications beyond the list. */
  readonly more: boolean
}

/** How many failed notifications are due now, and whether the service delivers notifications. */
export type RetriedNotifications = { readonly retried: number; readonly delivers: boolean }

export type NotificationManagement = {
  readonly listNotifications: Answer<NotificationList>
  /** Makes the named notification due now, or all failed ones. */
  readonly retry: (id: O.Option<string>) => Answer<RetriedNotifications, UnknownNotification>
}

/** The maximum number of notifications in a list. */
export const maxListed = 1_000

export const manageNotifications =
  (
    settings: { readonly delivers: boolean },
    ports: PendingNotifications & Clock & AuditPorts,
  ): ByRequest<'deliveries', NotificationManagement> =>
  (operator, request) => {
    const row = auditedBy(ports, operator, request)
    return {
      listNotifications: pipe(
        ports.listNotifications(maxListed + 1),
        TE.map((entries) => ({
          notices: entries.slice(0, maxListed).map(describeNotification(settings)),
          more: entries.length > maxListed,
        })),
      ),
      retry: (id) =>
        pipe(
          TE.fromIO(ports.now),
          TE.flatMap((at) =>
            ports.retryNotifications(
              id,
              at,
              row(at, 'notifications_retried', O.isSome(id) ? { subject: id.value } : {}),
            ),
          ),
          TE.filterOrElseW(
            (retried) => retried > 0 || O.isNone(id),
            () => unknownNotification,
          ),
          TE.map((retried) => ({ retried, delivers: settings.delivers })),
        ),
    }
  }

/** Removes notifications that are too old, and returns their number. */
export const purgeNotifications =
  (
    { delivery }: { readonly delivery: Pick<DeliveryPolicy, 'maxAge'> },
    ports: PendingNotifications & Clock,
  ): Answer<number> =>
  () =>
    ports.purgeNotifications(secondsBefore(ports.now(), delivery.maxAge))()
