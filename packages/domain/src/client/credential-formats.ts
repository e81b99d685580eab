import { type JsonObject, isJsonObject, isPlainObject, maxDepth } from '../codec/json-object.js'
import { valueThat } from '../codec/rule-codec.js'
import type { ValueType } from '../codec/value-type.js'
import { hasAtMost } from './stored-bytes.js'

const isShort = hasAtMost(4096)

const is = (input: unknown): input is JsonObject =>
  isJsonObject(maxDepth)(input) && Object.values(input).every(isPlainObject) && isShort(JSON.stringify(input))

/** OpenID for Verifiable Presentations §11.1: an object for each credential format, by its name. */
export const credentialFormats: ValueType<JsonObject> = {
  codec: valueThat('credential-formats', is),
  schema: { type: 'object', additionalProperties: { type: 'object' } },
  values: [],
}
