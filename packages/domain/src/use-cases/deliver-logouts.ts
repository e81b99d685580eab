// One pass over the notifications that are due: OpenID Back-Channel Logout §2.5. A receiver is sent one logout token at a time,
// and several receivers are notified side by side; one that is down is left alone, and holds up no other.
import * as E from 'fp-ts/lib/Either.js'
import type * as IO from 'fp-ts/lib/IO.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { isSymmetricSignature } from '../client/algorithms.js'
import { fetchedUriFault } from '../client/uri.js'
import { type EpochSeconds, secondsAfter } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import type { KeyPolicy } from '../keys/key-policy.js'
import type { SigningRefusal } from '../keys/permit-signing.js'
import {
  type DeliveryPolicy,
  type DeliveryResult,
  type TriedNotice,
  decideDelivery,
  decideOthers,
  postpone,
} from '../logout/delivery.js'
import { type OutboxEntry, receiverOf } from '../logout/logout-notice.js'
import { signingSecret } from '../logout/hint-secret.js'
import { logoutToken } from '../logout/logout-token.js'
import type { ClientRegistry } from '../ports/client-registry.js'
import type { Fresh } from '../ports/fresh.js'
import type { LogoutOutbox, LogoutSender } from '../ports/logout-outbox.js'
import type { UnsignedToken } from '../keys/unsigned-token.js'
import type { NoSuchRing, TokenSigner } from '../ports/token-signer.js'
import { findClients } from './steps/find-session.js'
import { sideBySide } from './steps/side-by-side.js'

export type DeliverySettings = {
  readonly delivery: DeliveryPolicy
  readonly keyPolicy: Pick<KeyPolicy, 'retention'>
  /** This instance, among those that deliver from the same outbox. */
  readonly instance: string
}

export type DeliverLogoutsPorts = Pick<LogoutOutbox, 'claimDue' | 'recordTries'> &
  Pick<ClientRegistry, 'findClients'> &
  LogoutSender &
  TokenSigner &
  Pick<Fresh, 'now' | 'identifier'> & {
    /** The service stops: no further try begins. */
    readonly isStopping: IO.IO<boolean>
    /** Takes what became of a notification, once that is on disk. */
    readonly reportTry: (entry: OutboxEntry, tried: TriedNotice) => IO.IO<void>
  }

type Delivering = DeliverySettings & { readonly ports: DeliverLogoutsPorts; readonly begunAt: EpochSeconds }
type Recorded = TE.TaskEither<Unavailable, void>

const nothing: Recorded = TE.right(undefined)

const unsigned = (alg: string, refusal: SigningRefusal | NoSuchRing | Unavailable): DeliveryResult => {
  switch (refusal.error) {
    case 'no_such_ring':
    case 'ring_closed':
      return { kind: 'impossible', reason: `no key signs with ${alg}: see signing-algorithms` }
    case 'ring_not_open':
      return { kind: 'too_early', until: refusal.opensAt, reason: `the key of ${alg} does not sign yet` }
    case 'not_the_signing_key':
    case 'good_for_too_long':
    case 'unavailable':
      return { kind: 'unsigned', reason: 'the logout token could not be signed' }
  }
}

// Back-Channel Logout §2.4: signed as the ID tokens of the client are, here by the secret that it has now.
const withSecret = (
  ports: DeliverLogoutsPorts,
  { alg, client_id }: OutboxEntry,
  token: UnsignedToken,
): TE.TaskEither<DeliveryResult, UnsignedToken> =>
  pipe(
    findClients(ports)([client_id]),
    TE.mapLeft((refusal) => unsigned(alg, refusal)),
    TE.flatMapEither(([client]): E.Either<DeliveryResult, UnsignedToken> => {
      const secret = client === undefined ? undefined : signingSecret(alg, client)
      return secret === undefined
        ? E.left({ kind: 'impossible', reason: `the client has no client_secret that signs with ${alg} any more` })
        : E.right({ ...token, secret })
    }),
  )

const send =
  ({ ports, keyPolicy }: Delivering, entry: OutboxEntry): T.Task<DeliveryResult> =>
  () => {
    // What was stored under older rules is judged by those of today.
    if (fetchedUriFault(entry.uri) !== undefined)
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

// Recorded one by one: what a crash forgets is sent again, and is little.
const tryFirst =
  (delivering: Delivering, entry: OutboxEntry, others: ReadonlyArray<OutboxEntry>) =>
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

/** What becomes of those for which no try begins any more: as they were, or to the end of the line. Undefined where one begins. */
const decideUnbegun = (
  { ports, delivery, begunAt }: Delivering,
  entries: ReadonlyArray<OutboxEntry>,
): ReadonlyArray<TriedNotice> | undefined => {
  if (ports.isStopping()) return entries.map((entry) => postpone(entry.due_at)(entry))
  const at = ports.now()
  return at > secondsAfter(begunAt, delivery.passLength) ? entries.map(postpone(at)) : undefined
}

const deliverTo =
  (delivering: Delivering) =>
  (entries: ReadonlyArray<OutboxEntry>): Recorded =>
  () => {
    const [entry, ...others] = entries
    if (entry === undefined) return nothing()
    const unbegun = decideUnbegun(delivering, entries)
    return unbegun === undefined
      ? pipe(TE.fromTask(send(delivering, entry)), TE.flatMap(tryFirst(delivering, entry, others)))()
      : delivering.ports.recordTries(delivering.instance, unbegun)()
  }

// Those that failed least come first, so that what only one of them lets fail does not keep the others.
const byReceiver = (entries: ReadonlyArray<OutboxEntry>): ReadonlyArray<ReadonlyArray<OutboxEntry>> => {
  const addressed = [...entries]
    .sort((one, other) => one.attempts - other.attempts)
    .map((entry) => ({ entry, receiver: receiverOf(entry) }))
  return [...new Set(addressed.map(({ receiver }) => receiver))].map((each) =>
    addressed.filter(({ receiver }) => receiver === each).map(({ entry }) => entry),
  )
}

/** Claims what is due, tries it, and tells how many notifications that were. */
export const deliverLogouts =
  (settings: DeliverySettings, ports: DeliverLogoutsPorts): TE.TaskEither<Unavailable, number> =>
  () => {
    // Read before the claim is made, so that the claim does not end before its length is over.
    const begunAt = ports.now()
    const { maxInPass, claimLength, concurrency } = settings.delivery
    const claim = { holder: settings.instance, until: secondsAfter(begunAt, claimLength) }
    return pipe(
      ports.claimDue(begunAt, claim, maxInPass),
      TE.flatMap((due) =>
        pipe(
          byReceiver(due).map(deliverTo({ ...settings, ports, begunAt })),
          sideBySide(concurrency),
          T.map(E.sequenceArray),
          TE.map(() => due.length),
        ),
      ),
    )()
  }

/** Gives up on what is too old, and tells how many notifications that were. */
export const forgetLogouts =
  (
    { delivery }: Pick<DeliverySettings, 'delivery'>,
    ports: Pick<LogoutOutbox, 'forgetNotices'> & Pick<Fresh, 'now'>,
  ): TE.TaskEither<Unavailable, number> =>
  () => {
    const at = ports.now()
    return ports.forgetNotices(secondsAfter(at, -Math.min(at, delivery.maxAge)))()
  }
