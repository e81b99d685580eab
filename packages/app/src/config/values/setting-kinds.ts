// The kinds of settings that occur more than once.
import type * as E from 'fp-ts/lib/Either.js'
import type { Setting } from './setting.js'
import { boolean, integer, list } from './values.js'

/** Seconds. */
export const day = 86_400
export const tenYears = 3650 * day

export const range = (description: string, fallback: number, minimum: number, maximum: number): Setting<number> => ({
  description,
  values: `${minimum} to ${maximum}`,
  fallback,
  parse: integer(minimum, maximum),
})

export const flag = (description: string, fallback: boolean): Setting<boolean> => ({
  description,
  values: 'true or false',
  fallback,
  parse: boolean,
})

export const several = (
  description: string,
  values: string,
  separator: RegExp,
  parse: (text: string) => E.Either<string, string>,
): Setting<ReadonlyArray<string>> => ({
  description,
  values,
  fallback: [],
  fallbackText: 'none',
  parse: list(separator, parse),
})

export const optional = <A>(setting: Omit<Setting<A>, 'fallback'>): Setting<A | undefined> => ({
  ...setting,
  fallback: undefined,
})
