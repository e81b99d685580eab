import * as fc from 'fast-check'
import type { Test } from 'uvu'
import { runParameters } from './property-runs.js'

export type Arbitraries<Values extends ReadonlyArray<unknown>> = {
  [Index in keyof Values]: fc.Arbitrary<Values[Index]>
}

/**
 * A property as a test, in one line: it holds unless it answers false or throws. A failure shows the smallest
 * counterexample with its seed and path.
 */
export const law =
  (suite: Test) =>
  <Values extends [unknown, ...Array<unknown>]>(
    name: string,
    arbitraries: Arbitraries<Values>,
    predicate: (...values: Values) => unknown,
  ): void =>
    suite(name, () =>
      fc.assert(
        fc.property<Values>(...arbitraries, (...values) => predicate(...values) !== false),
        runParameters(),
      ),
    )
