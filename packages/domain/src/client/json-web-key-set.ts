import type { BrokenRule } from '../codec/fault.js'
import { type JsonObject, isJsonObject, isPlainObject, maxDepth, ownMember } from '../codec/json-object.js'
import { broken, ruleCodec } from '../codec/rule-codec.js'
import type { RuleId } from '../codec/rule-texts.js'
import type { ValueType } from '../codec/value-type.js'
import { publicKeyFaults } from './public-key.js'
import { isStorable } from './stored-bytes.js'

export const maxKeys = 32

type Broken = BrokenRule<RuleId>

const kidOf = (key: unknown): unknown => (isPlainObject(key) ? ownMember(key, 'kid') : undefined)

const brokenByKeys = (keys: ReadonlyArray<unknown>): ReadonlyArray<Broken> => {
  const kids = keys.map(kidOf)
  return keys.flatMap((key, index) => {
    const kid = kids[index]
    const isRepeated = kid !== undefined && kids.indexOf(kid) < index
    return [
      ...publicKeyFaults(key).map(({ rule, member }) =>
        broken(rule, 'keys', index, ...(member === undefined ? [] : [member])),
      ),
      ...(isRepeated ? [broken('jwk-kid-repeated' as const, 'keys', index, 'kid')] : []),
    ]
  })
}

const keysOf = (input: unknown): ReadonlyArray<unknown> | undefined => {
  const keys = isJsonObject(maxDepth)(input) ? input['keys'] : undefined
  return Array.isArray(keys) && keys.length <= maxKeys ? keys : undefined
}

const brokenBy = (input: unknown): ReadonlyArray<Broken> => {
  const keys = keysOf(input)
  if (keys === undefined) return [broken('jwk-set')]
  return isStorable(JSON.stringify(input)) ? brokenByKeys(keys) : [broken('jwk-set-size')]
}

/** RFC 7517 §5, public keys only (RFC 7591 §2). */
export const jwkSetType: ValueType<JsonObject> = {
  codec: ruleCodec('jwk-set', brokenBy),
  schema: {
    type: 'object',
    required: ['keys'],
    properties: {
      keys: {
        type: 'array',
        maxItems: maxKeys,
        items: { type: 'object', required: ['kty'], properties: { kty: { type: 'string' } } },
      },
    },
  },
  values: [],
}

/** The number of keys in a valid set. */
export const keyCount = (jwks: JsonObject | undefined): number => {
  const keys = jwks?.['keys']
  return Array.isArray(keys) ? keys.length : 0
}
