// Node, Deno and Bun have it; browsers and Workers need not.
declare const process: { readonly env: Readonly<Record<string, string | undefined>> } | undefined

const environment = typeof process === 'undefined' ? {} : process.env

const wholeNumber = (name: string): number | undefined => {
  const given = environment[name]
  return given === undefined ? undefined : Math.trunc(Number(given))
}

/** PROPERTY_RUNS says how many cases a property is tried on. */
export const propertyRuns = wholeNumber('PROPERTY_RUNS') ?? 200

/** PROPERTY_SEED repeats the cases of a run that failed. */
export const propertySeed = wholeNumber('PROPERTY_SEED')
