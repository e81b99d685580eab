import * as t from 'io-ts'
import type { JsonObject } from '../codec/json-object.js'
import { isJsonObject, maximumDepth } from '../codec/json-object.js'

const maximumLength = 16_384

const is = (input: unknown): input is JsonObject =>
  isJsonObject(maximumDepth)(input) && JSON.stringify(input).length <= maximumLength

/** The member data: any JSON object, kept as it is. */
export const CustomData: t.Type<JsonObject, JsonObject> = new t.Type(
  'data',
  is,
  (input, context) => (is(input) ? t.success(input) : t.failure(input, context, 'data')),
  t.identity,
)
