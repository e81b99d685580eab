// The public keys of another signer, checked as strictly as private ones.
import { isPlainObject } from '@clientele/domain/kernel'
import { type NewForeignKey, PublicJwk, maxForeignKeys } from '@clientele/domain/keys'
import * as E from 'fp-ts/lib/Either.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { calculateJwkThumbprint } from 'jose'
import { fittingAlgorithms, keyTypes, picked, publicFaults, useFaults } from './private-jwk.js'

type Faults = ReadonlyArray<string>

const notReadable: Faults = ['must be a public key that can be read']

// A private member is refused, because its presence shows that the file contains private keys by mistake.
const privateFaults = (key: Readonly<Record<string, unknown>>): Faults =>
  ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']
    .filter((name) => Object.hasOwn(key, name))
    .map((name) => `${name} must be left out: only the other signer has the private key`)

const readKey = (value: unknown): TE.TaskEither<Faults, NewForeignKey> => {
  if (!isPlainObject(value)) return TE.left(['must be an object'])
  const type = keyTypes.get(value['kty'])
  if (type === undefined) return TE.left(['kty must be RSA, EC or OKP'])
  const ofUse = { ...value, use: value['use'] ?? 'sig' }
  const faults = [
    ...privateFaults(value),
    ...publicFaults(value, type),
    ...(ofUse.use === 'enc'
      ? ['use must be sig: only keys that sign are published for another signer']
      : useFaults(ofUse)),
  ]
  if (faults.length > 0) return TE.left(faults)
  const jwk = { kty: value['kty'], ...picked(value, type.publicMembers) }
  const fitting = fittingAlgorithms(ofUse)
  const alg = fitting.find((each) => each === value['alg']) ?? fitting[0] ?? ''
  return pipe(
    TE.fromEither(PublicJwk.decode(jwk)),
    TE.mapLeft(() => notReadable),
    TE.flatMap((decoded) =>
      pipe(
        TE.tryCatch(
          async () => (typeof value['kid'] === 'string' ? value['kid'] : calculateJwkThumbprint({ ...decoded })),
          () => notReadable,
        ),
        TE.map((kid) => ({ kid, alg, jwk: decoded })),
      ),
    ),
  )
}

/** RFC 7517 §5: the public keys of the set, each with the one algorithm that it verifies; or all faults of the set. */
export const readPublicJwkSet = (json: unknown): TE.TaskEither<Faults, ReadonlyArray<NewForeignKey>> => {
  const keys = isPlainObject(json) ? json['keys'] : undefined
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > maxForeignKeys)
    return TE.left([`must be a JSON Web Key set: an object with the array keys, of 1 to ${maxForeignKeys} public keys`])
  const values: ReadonlyArray<unknown> = keys
  return pipe(
    values,
    T.traverseSeqArrayWithIndex((index, value) =>
      pipe(readKey(value), TE.mapLeft(RA.map((fault) => `/keys/${index} ${fault}`))),
    ),
    T.map((each) => {
      const { left, right } = RA.separate(each)
      return left.length > 0 ? E.left(left.flat()) : E.right(right)
    }),
  )
}
