import type { JsonObject } from '../codec/json-object.js'
import { isJsonObject, maximumDepth } from '../codec/json-object.js'
import { ValueThat } from '../codec/rule-codecs.js'
import type { ValueType } from '../codec/value-type.js'

const maximumBytes = 16_384

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

// RFC 3629 §3: two bytes from U+0080, three from U+0800; the two halves of a pair are four together
const utf8Length = (text: string): number =>
  text.length + count(text, /[\u0080-\u07ff\ud800-\udfff]/g) + 2 * count(text, /[\u0800-\ud7ff\ue000-\uffff]/g)

// Because no character has less than a byte, what is too long in characters is not counted in bytes.
const isShort = (text: string): boolean => text.length <= maximumBytes && utf8Length(text) <= maximumBytes

const is = (input: unknown): input is JsonObject => isJsonObject(maximumDepth)(input) && isShort(JSON.stringify(input))

/** The member data: any JSON object, kept as it is. */
export const dataType: ValueType<JsonObject> = {
  codec: ValueThat('data', is),
  schema: { type: 'object' },
  values: [],
}
