import * as fc from 'fast-check'
import { runParameters } from './property-runs.js'

export type Arbitraries<Values extends ReadonlyArray<unknown>> = {
  [Index in keyof Values]: fc.Arbitrary<Values[Index]>
}

/**
 * A property as a test: it holds unless it returns false, throws or rejects. A failure shows the smallest
 * counterexample with its seed and path.
 */
export const law =
  (add: (name: string, run: () => Promise<void>) => void) =>
  <Values extends [unknown, ...Array<unknown>]>(
    name: string,
    arbitraries: Arbitraries<Values>,
    predicate: (...values: Values) => unknown,
  ): void =>
    add(name, () =>
      fc.assert(
        fc.asyncProperty<Values>(...arbitraries, async (...values) => (await predicate(...values)) !== false),
        runParameters(),
      ),
    )
