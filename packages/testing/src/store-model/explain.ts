// Steps that run at the same time may take effect in any order: some order must explain them.
import type { StoragePorts } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import type { Run, Seen, Step } from './step.js'
import { textOf, unorderedTextOf } from './text-of.js'

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
