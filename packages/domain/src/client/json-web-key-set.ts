import * as t from 'io-ts'
import type { JsonObject } from '../codec/json-object.js'
import { isJsonObject, isPlainObject, maximumDepth } from '../codec/json-object.js'

const maximumKeys = 32
// RFC 7518 §6: the members that only a private or symmetric key has
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

const isPublicKey = (key: unknown): boolean =>
  isPlainObject(key) &&
  Object.hasOwn(key, 'kty') &&
  typeof key['kty'] === 'string' &&
  privateMembers.every((member) => !Object.hasOwn(key, member))

const is = (input: unknown): input is JsonObject =>
  isJsonObject(maximumDepth)(input) && Array.isArray(input['keys']) && input['keys'].every(isPublicKey)

const faultyKeys = (keys: ReadonlyArray<unknown>, context: t.Context): t.Errors =>
  keys.flatMap((key, index) =>
    isPublicKey(key)
      ? []
      : [
          {
            value: undefined,
            context: [...context, { key: 'keys', type: JsonWebKeySet }, { key: String(index), type: JsonWebKeySet }],
            message: 'jwk',
          },
        ],
  )

/** RFC 7517 §5, public keys only (RFC 7591 §2). */
export const JsonWebKeySet: t.Type<JsonObject, JsonObject> = new t.Type(
  'jwk-set',
  is,
  (input, context) => {
    const keys = isJsonObject(maximumDepth)(input) ? input['keys'] : undefined
    if (!Array.isArray(keys) || keys.length > maximumKeys) return t.failure(input, context, 'jwk-set')
    return is(input) ? t.success(input) : t.failures(faultyKeys(keys, context))
  },
  t.identity,
)
