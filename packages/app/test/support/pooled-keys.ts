// Making an RSA key takes longer than most tests, so that the services of one process share a few.
import { createKeyMaker } from '@clientele/adapters-jose'
import type { Unavailable } from '@clientele/domain/kernel'
import type { GeneratedKey } from '@clientele/domain/keys'
import type { KeyMaker } from '@clientele/domain/ports'
import type * as E from 'fp-ts/lib/Either.js'

// More than a ring of a test has at once.
const size = 8

type Made = Promise<E.Either<Unavailable, GeneratedKey>>
type Pool = { readonly keys: Array<Made>; next: number }

const pools = new Map<string, Pool>()
const { makeKey } = createKeyMaker()

export const pooledKeys: KeyMaker = {
  makeKey: (alg) => () => {
    if (!/^(RS|PS|RSA-)/.test(alg)) return makeKey(alg)()
    const pool = pools.get(alg) ?? { keys: [], next: 0 }
    pools.set(alg, pool)
    const place = pool.next % size
    pool.next += 1
    const key = pool.keys[place] ?? makeKey(alg)()
    pool.keys[place] = key
    return key
  },
}
