import * as t from 'io-ts'
import type { JsonObject } from '../codec/json-object.js'
import { isJsonObject, isPlainObject, maximumDepth } from '../codec/json-object.js'
import type { RuleId } from '../codec/rule-texts.js'
import type { ValueType } from '../codec/value-type.js'
import { publicKeyFaults } from './public-key.js'
import { isStorable } from './stored-bytes.js'

export const maximumKeys = 32

type PlacedFault = { readonly rule: RuleId; readonly path: ReadonlyArray<string> }

const kidOf = (key: unknown): unknown => (isPlainObject(key) && Object.hasOwn(key, 'kid') ? key['kid'] : undefined)

const faultsOfKeys = (keys: ReadonlyArray<unknown>): ReadonlyArray<PlacedFault> => {
  const kids = keys.map(kidOf)
  return keys.flatMap((key, index) => [
    ...publicKeyFaults(key).map(({ rule, member }) => ({
      rule,
      path: ['keys', String(index), ...(member === undefined ? [] : [member])],
    })),
    ...(kids[index] !== undefined && kids.indexOf(kids[index]) < index
      ? [{ rule: 'jwk-kid-repeated' as const, path: ['keys', String(index), 'kid'] }]
      : []),
  ])
}

const keysOf = (input: unknown): ReadonlyArray<unknown> | undefined => {
  const keys = isJsonObject(maximumDepth)(input) ? input['keys'] : undefined
  return Array.isArray(keys) && keys.length <= maximumKeys ? keys : undefined
}

const faultsOf = (input: unknown): ReadonlyArray<PlacedFault> => {
  const keys = keysOf(input)
  if (keys === undefined) return [{ rule: 'jwk-set', path: [] }]
  return isStorable(JSON.stringify(input)) ? faultsOfKeys(keys) : [{ rule: 'jwk-set-size', path: [] }]
}

const is = (input: unknown): input is JsonObject => faultsOf(input).length === 0

/** RFC 7517 §5, public keys only (RFC 7591 §2). */
const JsonWebKeySet: t.Type<JsonObject, JsonObject> = new t.Type(
  'jwk-set',
  is,
  (input, context) =>
    is(input)
      ? t.success(input)
      : t.failures(
          faultsOf(input).map(({ rule, path }) => ({
            value: undefined,
            context: [...context, ...path.map((key) => ({ key, type: JsonWebKeySet }))],
            message: rule,
          })),
        ),
  t.identity,
)

export const jwkSetType: ValueType<JsonObject> = {
  codec: JsonWebKeySet,
  schema: {
    type: 'object',
    required: ['keys'],
    properties: {
      keys: {
        type: 'array',
        maxItems: maximumKeys,
        items: { type: 'object', required: ['kty'], properties: { kty: { type: 'string' } } },
      },
    },
  },
  values: [],
}

/** How many keys a set holds that is known to be one. */
export const keyCount = (jwks: JsonObject | undefined): number => {
  const keys = jwks?.['keys']
  return Array.isArray(keys) ? keys.length : 0
}
