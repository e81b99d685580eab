// Concurrent operations on SQLite may take effect in any order, because each write is sealed before it waits for its
// turn. Some order must explain them: the same steps, one after the other in memory, with the same outcomes and the
// same final state.
import { inMemoryStore, type State } from '@clientele/adapters-memory'
import type { StoragePorts } from '@clientele/domain'
import * as assert from 'uvu/assert'
import { isDeepStrictEqual } from 'node:util'

type Run = (ports: StoragePorts) => Promise<unknown>

export type Observed = { readonly outcomes: ReadonlyArray<unknown>; readonly present: unknown }

const ordersOf = (places: ReadonlyArray<number>): ReadonlyArray<ReadonlyArray<number>> =>
  places.length === 0
    ? [[]]
    : places.flatMap((first) => ordersOf(places.filter((each) => each !== first)).map((rest) => [first, ...rest]))

const inOrder = async (state: State, steps: ReadonlyArray<Run>, look: Run, order: ReadonlyArray<number>) => {
  const ports = inMemoryStore(state)
  const outcomes: Array<unknown> = []
  for (const place of order) outcomes[place] = await steps[place]?.(ports)
  return { outcomes, present: await look(ports) }
}

/** The state in memory after the steps, in an order that explains the observed outcomes. */
export const explained = async (
  state: State,
  steps: ReadonlyArray<Run>,
  look: Run,
  observed: Observed,
): Promise<State> => {
  const called = steps.map((_, place) => place)
  for (const order of ordersOf(called)) {
    const copy = structuredClone(state)
    if (isDeepStrictEqual(await inOrder(copy, steps, look, order), observed)) return copy
  }
  assert.equal(
    observed,
    await inOrder(state, steps, look, called),
    'no order explains it; beside the order of the calls',
  )
  return state
}
