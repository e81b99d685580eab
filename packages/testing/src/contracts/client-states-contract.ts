import * as fc from 'fast-check'
import { propertyRuns, runParameters } from '../property-runs.js'
import { anyStateHistory } from './any-state-history.js'
import { type Living, leadStateHistory } from './client-state-histories.js'
import { type Contract, collect } from './contract.js'
import type { OpenStore } from './open-store.js'

/** The states of clients in time, by a model: docs/life-cycle.md. */
export const clientStatesContract = (name: string, open: OpenStore<Living>): Contract => {
  const { test, tests } = collect(`States of clients ${name}`)
  test('each client has the state of the model after each step', () =>
    fc.assert(
      fc.asyncProperty(anyStateHistory(), async (history) => {
        const { one, other, close } = await open()
        await leadStateHistory([one, other], history).finally(close)
      }),
      { ...runParameters(), numRuns: Math.ceil(propertyRuns() / 4) },
    ))
  return tests
}
