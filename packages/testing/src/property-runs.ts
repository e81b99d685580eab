// Node, Deno and Bun have it; browsers and Workers need not.
declare const process: { readonly env: Readonly<Record<string, string | undefined>> } | undefined

// Because a property that is tried on no case holds, whatever it says, a number that is none must not pass for one.
const wholeNumber = (name: string, least: number): number | undefined => {
  const given = typeof process === 'undefined' ? undefined : process.env[name]
  if (given === undefined || given === '') return undefined
  const number = Number(given)
  if (Number.isSafeInteger(number) && number >= least) return number
  throw new Error(`${name} must be a whole number${least > 0 ? `, ${least} or more` : ''}: set another one, or none`)
}

/** PROPERTY_RUNS says how many cases a property is tried on; asked anew each time, because runners may change it. */
export const propertyRuns = (): number => wholeNumber('PROPERTY_RUNS', 1) ?? 200

/** PROPERTY_SEED repeats the cases of a run that failed. */
export const propertySeed = (): number | undefined => wholeNumber('PROPERTY_SEED', Number.MIN_SAFE_INTEGER)

export type RunParameters = { readonly numRuns: number; readonly seed?: number; readonly includeErrorInReport: true }

/** How a property is run: as often as PROPERTY_RUNS says, from PROPERTY_SEED on, with the error in the report. */
export const runParameters = (): RunParameters => {
  const seed = propertySeed()
  return { numRuns: propertyRuns(), includeErrorInReport: true, ...(seed === undefined ? {} : { seed }) }
}
