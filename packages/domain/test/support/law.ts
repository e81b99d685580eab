import * as fc from 'fast-check'
import type { Test } from 'uvu'

type Arbitraries<Values extends ReadonlyArray<unknown>> = { [Index in keyof Values]: fc.Arbitrary<Values[Index]> }

const wholeNumber = (name: string): number | undefined => {
  const given = process.env[name]
  return given === undefined ? undefined : Math.trunc(Number(given))
}

type Parameters = { readonly numRuns: number; readonly seed?: number; readonly includeErrorInReport: true }

/** PROPERTY_RUNS says how many cases; PROPERTY_SEED repeats the cases of a run that failed. */
const parameters = (): Parameters => {
  const [numRuns = 200, seed] = [wholeNumber('PROPERTY_RUNS'), wholeNumber('PROPERTY_SEED')]
  return { numRuns, includeErrorInReport: true, ...(seed === undefined ? {} : { seed }) }
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
        parameters(),
      ),
    )
