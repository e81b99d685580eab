// The life cycle of a client: its states, the days for which its use can be known, and what each endpoint answers.
import * as t from 'io-ts'
import type { RegisteredBy } from '../authorization/credential.js'
import { type EpochSeconds, secondsAfter, secondsBefore } from '../kernel/time.js'
import { record } from '../kernel/values.js'

/** In the order of a life without an operator. An operator approves or refuses a pending client, and suspends any. */
export const clientStates = ['unused', 'active', 'idle', 'parked', 'pending', 'refused', 'suspended', 'gone'] as const
export type ClientState = (typeof clientStates)[number]

/** Seconds; of the first two, observed days alone count (`dueParking`), and not of the third (`dueUnapproved`). */
export type LifeCyclePolicy = {
  /** After it began to wait, until an unused client of open registration is parked. */
  readonly unusedOpenParkedAfter: number
  /** After it began to wait, until such a client is removed: later than it is parked. */
  readonly unusedOpenRemovedAfter: number
  /** After it began to wait, until a client without an approval is removed; all days count, since nobody can use it. */
  readonly approvalLifetime: number
  /** After its last use, until a client is idle. */
  readonly idleAfter: number
  /** After its removal, until a client_id is forgotten. */
  readonly tombstoneLifetime: number
  /** After the service removed a client by itself, while it can be restored; 0 where it cannot. */
  readonly restorableFor: number
  /** After its end, until a revoked connection is forgotten. */
  readonly connectionHistory: number
}

const day = 86_400

export const defaultLifeCycle: LifeCyclePolicy = {
  unusedOpenParkedAfter: 7 * day,
  unusedOpenRemovedAfter: 30 * day,
  approvalLifetime: 30 * day,
  idleAfter: 90 * day,
  tombstoneLifetime: 90 * day,
  restorableFor: 30 * day,
  connectionHistory: 90 * day,
}

/** The unit of a last use: one write per client and day. */
export const useUnit = day

/** The start of the UTC day: what is stored of a use at the time. */
export const useTime = (at: EpochSeconds): EpochSeconds => secondsAfter(at, -(at % useUnit))

// Where the policy says so, a client is registered and gets nothing until an operator has approved it; RFC 7591 leaves that
// to the service.

/** Why an operator refused a client, for its developer: one line. */
const isReason = (text: string): boolean => /^[^\p{C}\p{Zl}\p{Zp}]{1,500}$/u.test(text) && text.trim() !== ''

interface ReasonBrand {
  readonly RefusalReason: unique symbol
}

export const RefusalReason = t.brand(
  t.string,
  (text): text is t.Branded<string, ReasonBrand> => isReason(text),
  'RefusalReason',
)
export type RefusalReason = t.TypeOf<typeof RefusalReason>

/** What a client without an approval waits for, or why it has none. */
export const Unapproved = t.union(
  [
    record('Pending', { state: t.literal('pending') }),
    record('Refused', { state: t.literal('refused'), reason: RefusalReason }),
  ],
  'Unapproved',
)
export type Unapproved = t.TypeOf<typeof Unapproved>

/** What of a stored client its state depends on. */
export type LifeCycleFacts = {
  /** Since when the operator suspends the client; left out where it does not. */
  readonly suspended_at?: EpochSeconds
  /** Left out where the client needs no approval, or has it. */
  readonly approval?: Unapproved
  /** Whether the service has parked it: an open client that was not used on enough observed days. */
  readonly parked: boolean
}

/** Whether the client was registered without a token: it counts as unused and open until its first use. */
export const isOpenClient = ({ registered_by }: { readonly registered_by: RegisteredBy }): boolean =>
  registered_by === 'nobody'

/**
 * The state of a client. `client` is undefined where none is registered; `lastUse` is undefined before the first use. A
 * use is known to the day, so that a client is idle up to a day early.
 */
export const stateOf = (
  client: LifeCycleFacts | undefined,
  lastUse: EpochSeconds | undefined,
  now: EpochSeconds,
  { idleAfter }: Pick<LifeCyclePolicy, 'idleAfter'>,
): ClientState => {
  if (client === undefined) return 'gone'
  const withdrawal = withdrawalOf(client)
  if (withdrawal !== undefined) return withdrawal
  if (lastUse !== undefined) return now - lastUse >= idleAfter ? 'idle' : 'active'
  return client.parked ? 'parked' : 'unused'
}

/**
 * Since when a client waits for its first use, or for its approval: since its registration, or since what last began the wait
 * anew. That is an import, a restoration, the end of a suspension, an approval, a refusal, or an update after which the client
 * is pending again.
 */
export const waitsSince = ({
  client_id_issued_at,
  waits_since,
}: {
  readonly client_id_issued_at: EpochSeconds
  readonly waits_since?: EpochSeconds
}): EpochSeconds => waits_since ?? client_id_issued_at

/** What the service removed by itself after this time can be restored. */
export const restorableSince = (
  now: EpochSeconds,
  { restorableFor }: Pick<LifeCyclePolicy, 'restorableFor'>,
): EpochSeconds => secondsBefore(now, restorableFor)

/** A connection that was revoked after this time is shown. */
export const revokedSince = (
  now: EpochSeconds,
  { connectionHistory }: Pick<LifeCyclePolicy, 'connectionHistory'>,
): EpochSeconds => secondsBefore(now, connectionHistory)

// The waits of unused clients: they count observed days alone, UTC days on which a use would have been seen. A day on which
// the service was down, or on which nobody recorded uses, shows nothing of a client. docs/decisions/life-cycle-of-clients.md.

/** The days that a wait of so many seconds takes: whole ones, and at least one. */
const daysOf = (seconds: number): number => Math.max(1, Math.ceil(seconds / useUnit))

/** The days that must be observed from the time at which a client is parked until it is removed: its announcement. */
export const noticeOf = ({ unusedOpenParkedAfter, unusedOpenRemovedAfter }: LifeCyclePolicy): number =>
  daysOf(unusedOpenRemovedAfter - unusedOpenParkedAfter)

/** The number of observed days that the decisions look at. */
export const daysLookedAt = ({ unusedOpenParkedAfter, unusedOpenRemovedAfter }: LifeCyclePolicy): number =>
  daysOf(Math.max(unusedOpenParkedAfter, unusedOpenRemovedAfter)) + 1

/** A store keeps at least the observed days of so many seconds, which is longer than the longest wait. */
export const observedDaysKept = 3_700 * useUnit

/**
 * The latest time since which so many observed days have passed as a whole: the start of the earliest of them. Today has
 * not passed. Undefined where fewer were observed.
 */
const passedSince = (
  now: EpochSeconds,
  observed: ReadonlyArray<EpochSeconds>,
  days: number,
): EpochSeconds | undefined =>
  [...new Set(observed.map(useTime))]
    .filter((day) => day < useTime(now))
    .sort((one, other) => other - one)
    .at(days - 1)

/** Which unused clients are parked: those that wait since that time or earlier, with this time and notice. */
export type DueParking = {
  readonly waitsSince: EpochSeconds
  readonly at: EpochSeconds
  readonly notice: number
  /** The clients without an approval, in place of unused ones: only their removal is announced. */
  readonly unapproved?: true
}

/** Undefined while none can be due. */
export const dueParking = (
  now: EpochSeconds,
  observed: ReadonlyArray<EpochSeconds>,
  policy: LifeCyclePolicy,
): DueParking | undefined => {
  const waitsSince = passedSince(now, observed, daysOf(policy.unusedOpenParkedAfter))
  return waitsSince === undefined ? undefined : { waitsSince, at: now, notice: noticeOf(policy) }
}

/**
 * Which parked clients are removed: those that wait since the first time or earlier, and were parked at the second one or
 * earlier, with a notice of at most so many days.
 */
export type DueRemoval = {
  readonly waitsSince: EpochSeconds
  readonly parkedUntil: EpochSeconds
  readonly notice: number
  readonly unapproved?: true
}

/** Undefined while none can be due. */
export const dueRemoval = (
  now: EpochSeconds,
  observed: ReadonlyArray<EpochSeconds>,
  policy: LifeCyclePolicy,
): DueRemoval | undefined => {
  const notice = noticeOf(policy)
  const waitsSince = passedSince(now, observed, daysOf(policy.unusedOpenRemovedAfter))
  const parkedUntil = passedSince(now, observed, notice)
  return waitsSince === undefined || parkedUntil === undefined ? undefined : { waitsSince, parkedUntil, notice }
}

/** The beginning of the UTC day that is so many days later. */
const dayAfter = (now: EpochSeconds, days: number): EpochSeconds => secondsAfter(useTime(now), days * useUnit)

/** What is due at the beginning of that later day, if uses are observed on each day until then: it cannot be more. */
export const dueRemovalIn = (
  days: number,
  now: EpochSeconds,
  observed: ReadonlyArray<EpochSeconds>,
  policy: LifeCyclePolicy,
): DueRemoval | undefined =>
  dueRemoval(
    dayAfter(now, days),
    [...observed, ...Array.from({ length: days }, (_, index) => dayAfter(now, index))],
    policy,
  )

/** The days of the announcement of a removal for want of an approval. */
export const longestNotice = 7

/** Of which clients without an approval the removal is announced, and which are removed: `parkedUntil` is when it was announced. */
export const dueUnapproved = (
  now: EpochSeconds,
  { approvalLifetime }: Pick<LifeCyclePolicy, 'approvalLifetime'>,
): { readonly announced: DueParking; readonly removed: DueRemoval } => {
  const notice = Math.max(1, Math.min(longestNotice, Math.floor(approvalLifetime / useUnit / 2)))
  const announcedAfter = Math.max(0, approvalLifetime - notice * useUnit)
  return {
    announced: { waitsSince: secondsBefore(now, announcedAfter), at: now, notice, unapproved: true },
    removed: {
      waitsSince: secondsBefore(now, approvalLifetime),
      parkedUntil: secondsBefore(now, notice * useUnit),
      notice,
      unapproved: true,
    },
  }
}

/** What is removed by the end of the UTC day that is so many days later, of what is announced by now. */
export const dueUnapprovedIn = (days: number, now: EpochSeconds, policy: LifeCyclePolicy): DueRemoval =>
  dueUnapproved(secondsAfter(dayAfter(now, days + 1), -1), policy).removed

/** The earliest time at which an open client that begins to wait now is parked: whole days follow the present one. */
export const earliestParking = (now: EpochSeconds, { unusedOpenParkedAfter }: LifeCyclePolicy): EpochSeconds =>
  dayAfter(secondsAfter(now, useUnit - 1), daysOf(unusedOpenParkedAfter))

// What each door answers a client in each state, by endpoint: the whole table, of which docs/operate/year.md#life-cycle-of-a-client is the text. No decision
// reads it: the tests hold every door to it.

/** By door, what it may answer. */
export type DoorAnswers = {
  /** POST /clients: the same public client from the same address, where the policy permits that it gets its client_id again. */
  readonly registration: 'same_client_id' | 'new_client_id'
  /** GET, PUT and DELETE /clients/{id} with the registration access token: RFC 7592 §2. */
  readonly configuration: 'answered' | 'forbidden' | 'unauthorized'
  /** RFC 6749 §3.1 */
  readonly authorize: 'answered' | 'page'
  /** RFC 6749 §3.2, and the other endpoints at which a client authenticates. */
  readonly token: 'answered' | 'invalid_client' | 'access_denied'
  /** The redirect after a logout: OpenID RP-Initiated Logout §3. */
  readonly logout: 'redirect' | 'no_redirect'
}

export type Door = keyof DoorAnswers

export const doors: ReadonlyArray<Door> = ['registration', 'configuration', 'authorize', 'token', 'logout']

const inForce = {
  configuration: 'answered',
  authorize: 'answered',
  token: 'answered',
  logout: 'redirect',
} as const

// RFC 7592 §2: the client may change and remove its registration while it waits. The token endpoint answers access_denied,
// because applications of the Model Context Protocol register again at invalid_client and at unauthorized_client.
const withoutApproval = {
  registration: 'same_client_id',
  configuration: 'answered',
  authorize: 'page',
  token: 'access_denied',
  logout: 'no_redirect',
} as const

/** Complete: a state and a door without an answer do not compile. */
export const answersOfDoors: Readonly<Record<ClientState, DoorAnswers>> = {
  unused: { registration: 'same_client_id', ...inForce },
  active: { registration: 'new_client_id', ...inForce },
  idle: { registration: 'new_client_id', ...inForce },
  parked: { registration: 'new_client_id', ...inForce },
  pending: withoutApproval,
  refused: withoutApproval,
  suspended: {
    registration: 'new_client_id',
    configuration: 'forbidden',
    authorize: 'page',
    token: 'invalid_client',
    logout: 'no_redirect',
  },
  gone: {
    registration: 'new_client_id',
    configuration: 'unauthorized',
    authorize: 'page',
    token: 'invalid_client',
    logout: 'no_redirect',
  },
}

/** A client that the doors do not answer as one in force. */
export type Withdrawn = 'pending' | 'refused' | 'suspended' | 'gone'

/** For the application and the end-user: what has happened, and the remedy. Fixed ASCII. */
export const withdrawnTexts: Readonly<Record<Withdrawn, string>> = {
  pending:
    'This client waits for the approval of the operator: ask the operator to approve it, and do not register it again',
  refused: 'The operator has refused this client: ask the operator why, and do not register it again',
  suspended: 'The operator has suspended this client: ask the operator to resume it',
  gone: 'The registration of this client has ended: register it anew, as at its first start',
}

/** Whether the operator has suspended the client. */
export const isSuspended = ({ suspended_at }: Pick<LifeCycleFacts, 'suspended_at'>): boolean =>
  suspended_at !== undefined

/** Why a registered client is not in force: a suspension counts above all else. Undefined for all others, whatever their use. */
export const withdrawalOf = ({
  suspended_at,
  approval,
}: Pick<LifeCycleFacts, 'suspended_at' | 'approval'>): Exclude<Withdrawn, 'gone'> | undefined =>
  suspended_at === undefined ? approval?.state : 'suspended'

// What each door answers a client whose client_id is the URL of its metadata: draft-ietf-oauth-client-id-metadata-document-02
// §5, docs/decisions/documents-of-clients.md. docs/operate/year.md#life-cycle-of-a-client has the text of the table.

/** By what is stored, and what its document is at present; an operator suspends a stored client in any of these. */
export const documentStates = [
  'new',
  'approved',
  'changed',
  'unreachable',
  'lost',
  'withdrawn',
  'refused',
  'pending',
  'suspended',
] as const
export type DocumentState = (typeof documentStates)[number]

/** By door, what it may answer. */
export type DocumentDoorAnswers = Pick<DoorAnswers, 'token' | 'logout'> & {
  /** The same metadata, which becomes the client of a registration. */
  readonly registration: 'new_client_id'
  /** Only the document changes its client, so that no party has a registration access token for it. */
  readonly configuration: 'unauthorized'
  /** -02 §8.4: an end-user approves a document before it counts. */
  readonly authorize: DoorAnswers['authorize'] | 'consent'
}

const always = { registration: 'new_client_id', configuration: 'unauthorized' } as const

// Tokens, and the redirect after a logout, are by the stored metadata, which an end-user has approved.
const documentInForce = { ...always, token: 'answered', logout: 'redirect' } as const
const withoutDocument = { ...always, authorize: 'page', token: 'invalid_client', logout: 'redirect' } as const

/** Complete: a state and a door without an answer do not compile. */
export const answersToDocuments: Readonly<Record<DocumentState, DocumentDoorAnswers>> = {
  new: { ...always, authorize: 'consent', token: 'invalid_client', logout: 'no_redirect' },
  approved: { ...documentInForce, authorize: 'answered' },
  changed: { ...documentInForce, authorize: 'consent' },
  unreachable: { ...documentInForce, authorize: 'answered' },
  lost: withoutDocument,
  withdrawn: withoutDocument,
  refused: withoutDocument,
  // Stored before an end-user has read it, so that an operator finds it; also where the operator refused it.
  pending: { ...withoutDocument, token: 'access_denied', logout: 'no_redirect' },
  suspended: { ...withoutDocument, logout: 'no_redirect' },
}
