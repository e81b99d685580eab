import { type JsonObject, isJsonObject, maxDepth } from '../codec/json-object.js'
import { valueThat } from '../codec/rule-codec.js'
import type { ValueType } from '../codec/value-type.js'
import { isStorable } from './stored-bytes.js'

const is = (input: unknown): input is JsonObject => isJsonObject(maxDepth)(input) && isStorable(JSON.stringify(input))

/** The member data: any JSON object, stored unchanged. */
export const dataType: ValueType<JsonObject> = {
  codec: valueThat('data', is),
  schema: { type: 'object' },
  values: [],
}
