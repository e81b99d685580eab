import type { SignedBodies } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type JSONWebKeySet, compactVerify, createLocalJWKSet } from 'jose'
import { byMatchingKey } from './matching-key.js'
import { strictJsonPart } from './strict-json-part.js'
import { isStrictBase64url } from './strict-base64url.js'

// RFC 7515 §7.1: three parts; a signature may be empty, and then verifies by no key
const partsOf = (jwt: string): ReadonlyArray<string> | undefined => {
  const parts = jwt.split('.', 4)
  return parts.length === 3 && parts.every((part) => part === '' || isStrictBase64url(part)) ? parts : undefined
}

// jose refuses a set that is none when it is made.
const verifies = async (jwt: string, keySet: unknown, algorithms: ReadonlyArray<string>): Promise<boolean> => {
  try {
    const keys = createLocalJWKSet(keySet as JSONWebKeySet)
    await byMatchingKey(keys, (key) => compactVerify(jwt, key, { algorithms: [...algorithms] }))
    return true
  } catch {
    return false
  }
}

/** Open Banking DCR 3.3: opens and verifies registration requests that are signed as a whole. */
export const createSignedBodies = (): Omit<SignedBodies, 'fetchKeySet'> => ({
  openSignedBody: (jwt) => {
    const [head, payload] = partsOf(jwt) ?? []
    return pipe(
      O.Do,
      O.bind('header', () => strictJsonPart(head)),
      O.bind('claims', () => strictJsonPart(payload)),
      E.fromOption(() => 'signed-body' as const),
    )
  },
  verifySignedBody: (jwt, keySet, algorithms) => () => verifies(jwt, keySet, algorithms),
})
