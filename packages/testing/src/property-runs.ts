import * as fc from 'fast-check'

// Node, Deno and Bun have it; browsers and Workers may not.
declare const process: { readonly env: Readonly<Record<string, string | undefined>> } | undefined

/** The number; an invalid one is refused, because a property of no runs would always hold. */
export const atLeast = (name: string, least: number, number: number): number => {
  if (Number.isSafeInteger(number) && number >= least) return number
  throw new Error(`${name} must be a whole number${least > 0 ? `, ${least} or more` : ''}: set another one, or none`)
}

const wholeNumber = (name: string, least: number): number | undefined => {
  const given = typeof process === 'undefined' ? undefined : process.env[name]
  return given === undefined || given === '' ? undefined : atLeast(name, least, Number(given))
}

/** PROPERTY_RUNS is the number of runs of a property; read each time, because runners may change it. */
export const propertyRuns = (): number => wholeNumber('PROPERTY_RUNS', 1) ?? 200

/** PROPERTY_SEED repeats the cases of a failed run. */
export const propertySeed = (): number | undefined => wholeNumber('PROPERTY_SEED', Number.MIN_SAFE_INTEGER)

type RunParameters = { readonly numRuns: number; readonly seed?: number; readonly includeErrorInReport: true }

/** The parameters of a property: runs and seed of PROPERTY_RUNS and PROPERTY_SEED, with the error in the report. */
export const runParameters = (): RunParameters => {
  const seed = propertySeed()
  return { numRuns: propertyRuns(), includeErrorInReport: true, ...(seed === undefined ? {} : { seed }) }
}

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

/** One value, for a test that holds for all values but needs one run only. */
export const oneSample = <Value>(values: fc.Arbitrary<Value>): Value => {
  const [sample] = fc.sample(values, 1)
  if (sample === undefined) throw new Error('no value was made')
  return sample
}
