import type { JsonObject } from './json-object.js'
import { type RuleCodec, broken, listThat, none, ruleCodec, valueThat } from './rule-codec.js'
import type { RuleId } from './rule-texts.js'

/** The type of a member: the codec that decides, and a JSON Schema that covers as much of it as a schema can. */
export type ValueType<A> = {
  readonly codec: RuleCodec<A, RuleId>
  readonly schema: JsonObject
  /** All values of a closed set. */
  readonly values: ReadonlyArray<string>
}

/** A string, judged by a function that returns the rule it violates. */
export const judgedType = (
  schema: JsonObject,
  brokenRule: (text: string) => RuleId | undefined,
): ValueType<string> => ({
  codec: ruleCodec('string', (value) => {
    const rule = typeof value === 'string' ? brokenRule(value) : 'string'
    return rule === undefined ? none : [broken(rule)]
  }),
  schema: { type: 'string', ...schema },
  values: [],
})

export const textType = (rule: RuleId, schema: JsonObject, holds: (text: string) => boolean): ValueType<string> =>
  judgedType(schema, (text) => (holds(text) ? undefined : rule))

/** One of a closed set of strings. */
export const choiceType = <Value extends string>(rule: RuleId, ...values: ReadonlyArray<Value>): ValueType<Value> => {
  const all = new Set<unknown>(values)
  return {
    codec: valueThat(rule, (value): value is Value => all.has(value)),
    schema: { enum: values },
    values,
  }
}

/** An array without repetition, of at most so many entries. */
export const listType = <Item extends string>(
  item: ValueType<Item>,
  most: number,
  least: 0 | 1 = 0,
): ValueType<ReadonlyArray<Item>> => ({
  codec: listThat('array', item.codec, most, [
    ['array-size', (list) => list.length > most],
    ['array-empty', (list) => list.length < least],
    ['unique-items', (list) => new Set(list).size < list.length],
  ]),
  schema: {
    type: 'array',
    items: item.schema,
    ...(least > 0 ? { minItems: least } : {}),
    maxItems: most,
    uniqueItems: true,
  },
  values: item.values,
})

export const booleanType: ValueType<boolean> = {
  codec: valueThat('boolean', (value): value is boolean => typeof value === 'boolean'),
  schema: { type: 'boolean' },
  values: [],
}

export const secondsType: ValueType<number> = {
  codec: valueThat(
    'seconds',
    (value): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0,
  ),
  schema: { type: 'integer', minimum: 0 },
  values: [],
}
