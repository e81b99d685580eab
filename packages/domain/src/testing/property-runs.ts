// Node, Deno and Bun have it; browsers and Workers need not.
declare const process: { readonly env: Readonly<Record<string, string | undefined>> } | undefined

const wholeNumber = (name: string): number | undefined => {
  const given = typeof process === 'undefined' ? undefined : process.env[name]
  return given === undefined ? undefined : Math.trunc(Number(given))
}

/** PROPERTY_RUNS says how many cases a property is tried on; asked anew each time, because runners may change it. */
export const propertyRuns = (): number => wholeNumber('PROPERTY_RUNS') ?? 200

/** PROPERTY_SEED repeats the cases of a run that failed. */
export const propertySeed = (): number | undefined => wholeNumber('PROPERTY_SEED')

export type RunParameters = { readonly numRuns: number; readonly seed?: number; readonly includeErrorInReport: true }

/** How a property is run: as often as PROPERTY_RUNS says, from PROPERTY_SEED on, with the error in the report. */
export const runParameters = (): RunParameters => {
  const seed = propertySeed()
  return { numRuns: propertyRuns(), includeErrorInReport: true, ...(seed === undefined ? {} : { seed }) }
}
