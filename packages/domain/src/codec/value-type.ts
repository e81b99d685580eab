import type * as t from 'io-ts'
import type { JsonObject } from './json-object.js'
import { ListOf, OneOf, StringThat, ValueThat } from './rule-codecs.js'
import type { RuleId } from './rule-texts.js'

/** What a member may hold: the codec that decides, and the JSON Schema that tells others as much of it as that can say. */
export type ValueType<A> = {
  readonly codec: t.Type<A, A>
  readonly schema: JsonObject
  /** Where the values are a closed set: all of them. */
  readonly values: ReadonlyArray<string>
}

export const textType = (rule: RuleId, schema: JsonObject, holds: (text: string) => boolean): ValueType<string> => ({
  codec: StringThat(rule, (text) => (holds(text) ? undefined : rule)),
  schema: { type: 'string', ...schema },
  values: [],
})

/** A string that is judged by what is wrong with it. */
export const judgedType = (schema: JsonObject, faultOf: (text: string) => RuleId | undefined): ValueType<string> => ({
  codec: StringThat('string', faultOf),
  schema: { type: 'string', ...schema },
  values: [],
})

export const choiceType = <Value extends string>(rule: RuleId, ...values: ReadonlyArray<Value>): ValueType<Value> => ({
  codec: OneOf(rule, values),
  schema: { enum: values },
  values,
})

export const listType = <Item extends string>(
  item: ValueType<Item>,
  most: number,
  least: 0 | 1 = 0,
): ValueType<ReadonlyArray<Item>> => ({
  codec: ListOf(item.codec, most, least),
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
  codec: ValueThat('boolean', (input): input is boolean => typeof input === 'boolean'),
  schema: { type: 'boolean' },
  values: [],
}

export const secondsType: ValueType<number> = {
  codec: ValueThat(
    'seconds',
    (input): input is number => typeof input === 'number' && Number.isSafeInteger(input) && input >= 0,
  ),
  schema: { type: 'integer', minimum: 0 },
  values: [],
}
