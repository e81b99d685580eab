import * as t from 'io-ts'

/** A set of strings, or all of them: the lattice of subsets, with 'any' as its top and [] as its bottom. */
export const ValueSet = t.union([t.literal('any'), t.readonlyArray(t.string)], 'ValueSet')

export type ValueSet = t.TypeOf<typeof ValueSet>

export const onlyValues = (values: ReadonlyArray<string>): ValueSet =>
  values.length < 2 ? values : [...new Set(values)].sort()

export const unionOfValues = (one: ValueSet, other: ValueSet): ValueSet =>
  one === 'any' || other === 'any' ? 'any' : onlyValues([...one, ...other])

export const intersectionOfValues = (one: ValueSet, other: ValueSet): ValueSet => {
  if (one === 'any') return other
  return other === 'any' ? one : onlyValues(one.filter((value) => other.includes(value)))
}

/** The requested values that are not granted. */
export const missingValues = (granted: ValueSet, requested: ValueSet): ValueSet => {
  if (granted === 'any') return []
  return requested === 'any' ? 'any' : onlyValues(requested.filter((value) => !granted.includes(value)))
}
