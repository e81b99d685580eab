// One pass over the notices that are due: OpenID Back-Channel Logout §2.5. A receiver is told one thing at a time, and several
// receivers side by side; one that is down is left alone, and holds up nobody else.
import * as E from 'fp-ts/lib/Either.js'
import type * as IO from 'fp-ts/lib/IO.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { isSymmetricSignature } from '../client/algorithms.js'
import { fetchedUriFault, originOf } from '../client/uri.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import { secondsAfter } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import type { KeyPolicy } from '../keys/key-policy.js'
import type { SigningRefusal } from '../keys/permit-signing.js'
import type { DeliveryPolicy, DeliveryResult, TriedNotice } from '../logout/delivery.js'
import { decideDelivery, decideOthers, putOff } from '../logout/delivery.js'
import type { OutboxEntry } from '../logout/logout-notice.js'
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
}

export type DeliverLogoutsPorts = Pick<LogoutOutbox, 'dueNotices' | 'recordTries'> &
  Pick<ClientRegistry, 'findClient'> &
  LogoutSender &
  TokenSigner &
  Pick<Fresh, 'now' | 'identifier'> & {
    /** The service stops: no further try begins. */
    readonly isStopping: IO.IO<boolean>
    /** What became of a notice, once that is on disk. */
    readonly tellTry: (entry: OutboxEntry, tried: TriedNotice) => IO.IO<void>
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
    const { ports, delivery } = delivering
    const at = ports.now()
    const tried = decideDelivery(delivery, at)(entry, result, others)
    const left = decideOthers(delivery, at)(entry, result, others)
    return pipe(
      ports.recordTries([tried, ...(left ?? [])]),
      TE.tapIO(() => ports.tellTry(entry, tried)),
      TE.flatMap(() => (left === undefined ? deliverTo(delivering)(others) : nothing)),
    )
  }

const deliverTo =
  (delivering: Delivering) =>
  (entries: ReadonlyArray<OutboxEntry>): Recorded =>
  () => {
    const [entry, ...others] = entries
    const { ports, delivery, begunAt } = delivering
    if (entry === undefined || ports.isStopping()) return nothing()
    const at = ports.now()
    return at > secondsAfter(begunAt, delivery.passLength)
      ? ports.recordTries(entries.map(putOff(at)))()
      : pipe(TE.fromTask(send(delivering, entry)), TE.flatMap(tryFirst(delivering, entry, others)))()
  }

// Those that failed least come first, so that what only one of them lets fail does not keep the others.
const byReceiver = (entries: ReadonlyArray<OutboxEntry>): ReadonlyArray<ReadonlyArray<OutboxEntry>> => {
  const addressed = [...entries]
    .sort((one, other) => one.attempts - other.attempts)
    .map((entry) => ({ entry, receiver: originOf(entry.uri) }))
  return [...new Set(addressed.map(({ receiver }) => receiver))].map((each) =>
    addressed.filter(({ receiver }) => receiver === each).map(({ entry }) => entry),
  )
}

/** Tries what is due, and tells how many notices that were. */
export const deliverLogouts =
  (settings: DeliverySettings, ports: DeliverLogoutsPorts): TE.TaskEither<Unavailable, number> =>
  () => {
    const begunAt = ports.now()
    const { mostInPass, sideBySide: lanes } = settings.delivery
    return pipe(
      ports.dueNotices(begunAt, mostInPass),
      TE.flatMap((due) =>
        pipe(
          byReceiver(due).map(deliverTo({ ...settings, ports, begunAt })),
          sideBySide(lanes),
          T.map(E.sequenceArray),
          TE.map(() => due.length),
        ),
      ),
    )()
  }

/** Gives up on what is too old, and tells how many notices that were. */
export const forgetLogouts =
  (
    { delivery }: Pick<DeliverySettings, 'delivery'>,
    ports: Pick<LogoutOutbox, 'forgetNotices'> & Pick<Fresh, 'now'>,
  ): TE.TaskEither<Unavailable, number> =>
  () => {
    const at = ports.now()
    return ports.forgetNotices(secondsAfter(at, -Math.min(at, delivery.keptFor)))()
  }
