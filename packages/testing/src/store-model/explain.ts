import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { TokenHash } from '@clientele/domain/authorization'
import { type EpochSeconds, secondsAfter } from '@clientele/domain/kernel'
import type { KeyRing } from '@clientele/domain/keys'
import { type EndUserSession, defaultNotificationLimits } from '@clientele/domain/logout'
import type { StoragePorts } from '@clientele/domain/ports'
import type { RegisteredClient } from '@clientele/domain/registration'
import { listed } from '../contracts/contract.js'
import { exampleTime, noRow } from '../examples.js'
import type { Arbitraries } from '../property-runs.js'

/** The values that were read after each group of steps, the latest last; later steps may use them. */
export type Seen = {
  readonly clients: ReadonlyArray<RegisteredClient>
  readonly initialAccessTokens: ReadonlyArray<TokenHash>
  readonly sessions: ReadonlyArray<EndUserSession>
  /** The ids. */
  readonly notifications: ReadonlyArray<string>
  readonly keyRings: ReadonlyArray<ReadonlyArray<KeyRing>>
}

export type Run = (ports: StoragePorts, seen: Seen) => TE.TaskEither<unknown, unknown>

/** One operation on a port. */
export type Step = {
  readonly name: string
  readonly run: Run
  /** Where a port may remove expired entries, or leave entries to a later step: the step in each way that is permitted. */
  readonly permitted?: ReadonlyArray<Run>
}

/** Steps of one kind: an operation on drawn values, which a report shows after the words in the order of their names. */
export const steps = <Values extends [unknown, ...Array<unknown>]>(
  what: string,
  drawn: Arbitraries<Values>,
  run: (ports: StoragePorts, seen: Seen, ...values: Values) => TE.TaskEither<unknown, unknown>,
  permitted?: (...values: Values) => ReadonlyArray<Run>,
): fc.Arbitrary<Step> =>
  fc.tuple<Values>(...drawn).map((values) => ({
    name: `${what}: ${JSON.stringify(values)}`,
    run: (ports, seen) => run(ports, seen, ...values),
    ...(permitted === undefined ? {} : { permitted: permitted(...values) }),
  }))

/** A part of a store: the steps that change it, and what they change. */
export type StoreModel = {
  readonly name: string
  /** Fills a new store. */
  readonly prepare: (ports: StoragePorts) => Promise<void>
  readonly step: fc.Arbitrary<Step>
  /** Everything that the ports return about this part. */
  readonly look: (ports: StoragePorts, seen: Seen) => Promise<unknown>
}

/** How many reads ago a value was read: mostly the latest. */
export const ago = fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 12 }))

/** Times in no order, as from the clocks of several hosts. */
export const time = fc.integer({ min: 0, max: 12 }).map((steps): EpochSeconds => secondsAfter(exampleTime, steps * 100))

export const subsetsOf = <Value>(values: ReadonlyArray<Value>): ReadonlyArray<ReadonlyArray<Value>> =>
  values.reduce<ReadonlyArray<ReadonlyArray<Value>>>(
    (all, each) => [...all, ...all.map((some) => [...some, each])],
    [[]],
  )

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const plain = (_: string, value: unknown): unknown => {
  if (value instanceof Map || value instanceof Set) return [...value]
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value
}

const plainInAnyOrder = (key: string, value: unknown): unknown =>
  value instanceof Map || value instanceof Set ? sorted([...value]) : plain(key, value)

/** The same text for the same contents; their members may have any order, and undefined ones may be absent. */
export const textOf = (value: unknown): string => JSON.stringify(value, plain)

/** The same text also for maps and sets whose entries were added in another order. */
export const unorderedTextOf = (value: unknown): string => JSON.stringify(value, plainInAnyOrder)

/** The values in an order that depends on their contents only. */
export const sorted = <Value>(values: ReadonlyArray<Value>): ReadonlyArray<Value> =>
  values
    .map((value) => ({ value, text: textOf(value) }))
    .sort((one, other) => (one.text < other.text ? -1 : 1))
    .map(({ value }) => value)

// Steps that run at the same time may take effect in any order: some order must explain them.

/** A store in memory whose state can be copied. */
export type ReferenceStore<State> = {
  readonly empty: () => State
  readonly copy: (state: State) => State
  readonly open: (state: State) => StoragePorts
}

export type Freedoms = {
  /** Expired entries may remain where a port may remove them; otherwise they are removed as in the reference. */
  readonly expired: boolean
  /** Entries that are added at once may have any order. */
  readonly order: boolean
}

export type Done = { readonly step: Step; readonly outcome: string }

type Look = (ports: StoragePorts) => Promise<unknown>

export type Explanation<State> = {
  readonly reference: ReferenceStore<State>
  readonly freedoms: Freedoms
  readonly seen: Seen
  readonly look: Look
}

const codeOf = (refusal: unknown): unknown =>
  typeof refusal === 'object' && refusal !== null && 'error' in refusal ? refusal.error : refusal

/** What a step returned: of a refusal, its code only. */
export const outcomeOf = async (run: Run, ports: StoragePorts, seen: Seen): Promise<string> =>
  textOf(E.mapLeft(codeOf)(await run(ports, seen)()))

const without = <Value>(values: ReadonlyArray<Value>, value: Value): ReadonlyArray<Value> =>
  values.filter((each) => each !== value)

const runsOf = ({ run, permitted }: Step, { expired }: Freedoms): ReadonlyArray<Run> =>
  expired && permitted !== undefined ? permitted : [run]

/** All states of the reference after these steps, in any order, with these outcomes and what is to be seen afterwards. */
export const explain = async <State>(
  how: Explanation<State>,
  states: ReadonlyArray<State>,
  steps: ReadonlyArray<Done>,
  present: string,
): Promise<ReadonlyArray<State>> => {
  const { reference, freedoms, seen, look } = how
  const reached = new Map<string, State>()
  const identify = freedoms.order ? unorderedTextOf : textOf
  const follow = async (state: State, left: ReadonlyArray<Done>): Promise<void> => {
    if (left.length === 0 && textOf(await look(reference.open(state))) === present) reached.set(identify(state), state)
    for (const each of left)
      for (const run of runsOf(each.step, freedoms)) {
        const next = reference.copy(state)
        if ((await outcomeOf(run, reference.open(next), seen)) === each.outcome) await follow(next, without(left, each))
      }
  }
  for (const state of states) await follow(state, steps)
  return [...reached.values()]
}

/** For a report: what the reference returns and shows when the steps run in this order. */
export const inThisOrder = async <State>(
  { reference, seen, look }: Explanation<State>,
  state: State,
  steps: ReadonlyArray<Done>,
): Promise<unknown> => {
  const ports = reference.open(reference.copy(state))
  const outcomes: Array<string> = []
  for (const { step } of steps) outcomes.push(await outcomeOf(step.run, ports, seen))
  return { outcomes, present: await look(ports) }
}

// What the contracts leave to a store: the order of entries that several steps add at once, and what follows from it.

const all = 1_000

async function* eachOf(
  clients: Promise<ReadonlyArray<RegisteredClient>>,
): AsyncIterable<E.Either<never, RegisteredClient>> {
  for (const client of sorted(await clients)) yield E.right(client)
}

/**
 * The ports, where nothing depends on the order in which entries were added. A list of clients, or of parked ones, may
 * have them in any order if they are added at once. So may the notifications of sessions that end at once; these ends do
 * not see each other's notifications either, so that the next end removes those above the limits.
 */
export const unordered = (ports: StoragePorts): StoragePorts => {
  const { registry, clientUses, clientSearch, endUserSessions, sessionTermination, pendingNotifications } = ports
  return {
    ...ports,
    registry: { ...registry, streamClients: () => eachOf(listed(registry)) },
    clientUses: {
      ...clientUses,
      listParked: (due, max) => pipe(clientUses.listParked(due, max), TE.map(sorted)),
      listRemoved: (since, page) =>
        pipe(
          clientUses.listRemoved(since, page),
          TE.map(({ clients }) => ({ clients: sorted(clients) })),
        ),
    },
    clientSearch: {
      ...clientSearch,
      searchClients: (filter, at, page) =>
        pipe(
          clientSearch.searchClients(filter, at, page),
          TE.map(({ clients }) => ({ clients: sorted(clients) })),
        ),
    },
    endUserSessions: {
      ...endUserSessions,
      listSessions: (sub) => pipe(endUserSessions.listSessions(sub), TE.map(sorted)),
    },
    sessionTermination: {
      ...sessionTermination,
      endSession: (ended) =>
        sessionTermination.endSession({ ...ended, notificationLimits: defaultNotificationLimits }, noRow),
    },
    pendingNotifications: {
      ...pendingNotifications,
      claimDue: (at, claim) => pipe(pendingNotifications.claimDue(at, claim, all), TE.map(sorted)),
      listNotifications: (max) => pipe(pendingNotifications.listNotifications(max), TE.map(sorted)),
    },
  }
}
