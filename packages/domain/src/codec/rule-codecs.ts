import * as t from 'io-ts'
import type { RuleId } from './rule-texts.js'

/** A value of a kind, or the rule that it breaks; io-ts carries the rule's id as its message. */
export const ValueThat = <Value>(rule: RuleId, is: (input: unknown) => input is Value): t.Type<Value, Value> =>
  new t.Type(rule, is, (input, context) => (is(input) ? t.success(input) : t.failure(input, context, rule)), t.identity)

/** A string without a fault. */
export const StringThat = (name: RuleId, faultOf: (text: string) => RuleId | undefined): t.Type<string, string> =>
  new t.Type(
    name,
    (input): input is string => typeof input === 'string' && faultOf(input) === undefined,
    (input, context) => {
      if (typeof input !== 'string') return t.failure(input, context, 'string')
      const broken = faultOf(input)
      return broken === undefined ? t.success(input) : t.failure(input, context, broken)
    },
    t.identity,
  )

/** One of a closed set of strings. */
export const OneOf = <Value extends string>(rule: RuleId, values: ReadonlyArray<Value>): t.Type<Value, Value> => {
  const set = new Set<unknown>(values)
  return ValueThat(rule, (input): input is Value => set.has(input))
}

/** An array without repetition, of so many entries; every faulty entry is reported. */
export const ListOf = <Item extends string>(
  item: t.Type<Item, Item>,
  most: number,
  least: 0 | 1,
): t.Type<ReadonlyArray<Item>, ReadonlyArray<Item>> => {
  const list = t.readonlyArray(item)
  // Of a hole in an array every() knows nothing, but includes() does.
  const is = (input: unknown): input is ReadonlyArray<Item> =>
    Array.isArray(input) &&
    input.length <= most &&
    input.length >= least &&
    !input.includes(undefined) &&
    input.every(item.is) &&
    new Set(input).size === input.length
  return new t.Type(
    'array',
    is,
    (input, context) => {
      if (is(input)) return t.success(input)
      if (!Array.isArray(input)) return t.failure(input, context, 'array')
      const items = list.validate(input.slice(0, most), context)
      const errors = [
        ...(input.length > most ? [{ value: input, context, message: 'array-size' }] : []),
        ...(input.length < least ? [{ value: input, context, message: 'array-empty' }] : []),
        ...(new Set(input).size === input.length ? [] : [{ value: input, context, message: 'unique-items' }]),
        ...(items._tag === 'Left' ? items.left : []),
      ]
      return t.failures(errors)
    },
    t.identity,
  )
}
