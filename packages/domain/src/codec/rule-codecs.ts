import * as t from 'io-ts'
import type { RuleId } from './rule-texts.js'

/** A string that keeps the rule; io-ts carries the rule's id as its message. */
export const StringThat = (rule: RuleId, holds: (text: string) => boolean): t.Type<string, string> => {
  const is = (input: unknown): input is string => typeof input === 'string' && holds(input)
  return new t.Type(
    rule,
    is,
    (input, context) => {
      if (typeof input !== 'string') return t.failure(input, context, 'string')
      return holds(input) ? t.success(input) : t.failure(input, context, rule)
    },
    t.identity,
  )
}

/** One of a closed set of strings. */
export const OneOf = <Value extends string>(
  rule: RuleId,
  values: Readonly<Record<Value, null>>,
): t.Type<Value, Value> => {
  const set = t.keyof({ ...values })
  return new t.Type(
    rule,
    set.is,
    (input, context) => (set.is(input) ? t.success(input) : t.failure(input, context, rule)),
    t.identity,
  )
}

/** An array without repetition, of at most so many entries; every faulty entry is reported. */
export const ListOf = <Item extends string>(
  item: t.Type<Item, Item>,
  most: number,
): t.Type<ReadonlyArray<Item>, ReadonlyArray<Item>> => {
  const list = t.readonlyArray(item)
  const is = (input: unknown): input is ReadonlyArray<Item> => list.is(input) && input.length <= most
  return new t.Type(
    'array',
    is,
    (input, context) => {
      if (!Array.isArray(input)) return t.failure(input, context, 'array')
      if (input.length > most) return t.failure(input, context, 'array-size')
      if (new Set(input).size !== input.length) return t.failure(input, context, 'unique-items')
      return list.validate(input, context)
    },
    t.identity,
  )
}
