// Node, Deno and Bun have it; browsers and Workers may not.
declare const process: { readonly env: Readonly<Record<string, string | undefined>> } | undefined

// An invalid number is refused: a property of no runs would always hold.
const wholeNumber = (name: string, least: number): number | undefined => {
  const given = typeof process === 'undefined' ? undefined : process.env[name]
  if (given === undefined || given === '') return undefined
  const number = Number(given)
  if (Number.isSafeInteger(number) && number >= least) return number
  throw new Error(`${name} must be a whole number${least > 0 ? `, ${least} or more` : ''}: set another one, or none`)
}

/** PROPERTY_RUNS is the number of runs of a property; read each time, because runners may change it. */
export const propertyRuns = (): number => wholeNumber('PROPERTY_RUNS', 1) ?? 200

/** PROPERTY_SEED repeats the cases of a failed run. */
export const propertySeed = (): number | undefined => wholeNumber('PROPERTY_SEED', Number.MIN_SAFE_INTEGER)

export type RunParameters = { readonly numRuns: number; readonly seed?: number; readonly includeErrorInReport: true }

/** The parameters of a property: runs and seed of PROPERTY_RUNS and PROPERTY_SEED, with the error in the report. */
export const runParameters = (): RunParameters => {
  const seed = propertySeed()
  return { numRuns: propertyRuns(), includeErrorInReport: true, ...(seed === undefined ? {} : { seed }) }
}
