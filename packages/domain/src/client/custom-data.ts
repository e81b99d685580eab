import { type JsonObject, isJsonObject, maximumDepth } from '../codec/json-object.js'
import { valueThat } from '../codec/rule-codec.js'
import type { ValueType } from '../codec/value-type.js'
import { isStorable } from './stored-bytes.js'

const is = (input: unknown): input is JsonObject =>
  isJsonObject(maximumDepth)(input) && isStorable(JSON.stringify(input))

/** The member data: any JSON object, kept as it is. */
export const dataType: ValueType<JsonObject> = {
  codec: valueThat('data', is),
  schema: { type: 'object' },
  values: [],
}
