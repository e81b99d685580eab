import { isPlainObject } from '@clientele/domain/kernel'
import type { ImportedKeys } from '@clientele/domain/keys'
import * as E from 'fp-ts/lib/Either.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type PrivateJwk, readPrivateJwk, ruleText } from './private-jwk.js'

type Faults = ReadonlyArray<string>

const maxKeys = 32

type Placed = { readonly index: number; readonly key: PrivateJwk }

const readAt = (index: number, value: unknown): TE.TaskEither<Faults, Placed> =>
  pipe(
    readPrivateJwk(value),
    TE.mapBoth(
      RA.map((fault) => `/keys/${index} ${fault}`),
      (key) => ({ index, key }),
    ),
  )

// Compared by their final names: a key that occurs twice without a kid has one thumbprint.
const repeatedKids = (keys: ReadonlyArray<Placed>): Faults => {
  const kids = keys.map(({ key }) => key.key.kid)
  return keys
    .filter((_, place) => kids.indexOf(kids[place] ?? '') < place)
    .map(({ index }) => `/keys/${index} kid ${ruleText('jwk-kid-repeated')}`)
}

const readAll = (values: ReadonlyArray<unknown>): TE.TaskEither<Faults, ReadonlyArray<ImportedKeys>> =>
  pipe(
    values,
    T.traverseSeqArrayWithIndex(readAt),
    T.map((each) => {
      const { left, right } = RA.separate(each)
      const faults = [...left.flat(), ...repeatedKids(right)]
      return faults.length > 0 ? E.left(faults) : E.right(right.map(({ key: { alg, key } }) => ({ alg, keys: [key] })))
    }),
  )

/** RFC 7517 §5: the private keys of the set in their order, with their algorithms; or all faults of the set. */
export const readPrivateJwkSet = (json: unknown): TE.TaskEither<Faults, ReadonlyArray<ImportedKeys>> => {
  const keys = isPlainObject(json) ? json['keys'] : undefined
  return Array.isArray(keys) && keys.length > 0 && keys.length <= maxKeys
    ? readAll(keys)
    : TE.left([`must be a JSON Web Key set: an object with the array keys, of 1 to ${maxKeys} private keys`])
}
