import type { ImportedKeys } from '@clientele/domain'
import { isPlainObject } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { PrivateJwk } from './private-jwk.js'
import { readPrivateJwk, ruleText } from './private-jwk.js'

type Faults = ReadonlyArray<string>

const mostKeys = 32

const readAt = (index: number, value: unknown): TE.TaskEither<Faults, PrivateJwk> =>
  pipe(readPrivateJwk(value), TE.mapLeft(RA.map((fault) => `/keys/${index} ${fault}`)))

const repeatedKids = (values: ReadonlyArray<unknown>): Faults => {
  const kids = values.map((value) => (isPlainObject(value) ? value['kid'] : undefined))
  return kids.flatMap((kid, index) =>
    kid !== undefined && kids.indexOf(kid) < index ? [`/keys/${index} kid ${ruleText('jwk-kid-repeated')}`] : [],
  )
}

const byAlgorithm = (keys: ReadonlyArray<PrivateJwk>): ReadonlyArray<ImportedKeys> =>
  RA.uniq<string>({ equals: (one, other) => one === other })(keys.map(({ alg }) => alg)).map((alg) => ({
    alg,
    keys: keys.filter((each) => each.alg === alg).map(({ key }) => key),
  }))

const readAll = (values: ReadonlyArray<unknown>): TE.TaskEither<Faults, ReadonlyArray<ImportedKeys>> =>
  pipe(
    values,
    T.traverseSeqArrayWithIndex(readAt),
    T.map((each) => {
      const { left, right } = RA.separate(each)
      const faults = [...left.flat(), ...repeatedKids(values)]
      return faults.length > 0 ? E.left(faults) : E.right(byAlgorithm(right))
    }),
  )

/** RFC 7517 §5: the private keys of the set, by their algorithms and in their order; or everything that is wrong with it. */
export const readPrivateJwkSet = (json: unknown): TE.TaskEither<Faults, ReadonlyArray<ImportedKeys>> => {
  const keys = isPlainObject(json) ? json['keys'] : undefined
  return Array.isArray(keys) && keys.length > 0 && keys.length <= mostKeys
    ? readAll(keys)
    : TE.left([`must be a JSON Web Key set: an object with the array keys, of 1 to ${mostKeys} private keys`])
}
