import fc from 'fast-check'
import { compactVerify, importJWK } from 'jose'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { asymmetricAlgorithms } from '@clientele/domain/client'
import type { ForeignKey } from '@clientele/domain/keys'
import { epochSeconds } from '@clientele/domain/kernel'
import { verifyByNode } from '../../src/node/signatures.js'
import { signedWith } from '../../../adapters-http/test/support/hints.js'
import { keyFor } from '../../../adapters-http/test/support/keys.js'

const signatures = suite('signatures by node:crypto')

const algorithms: ReadonlyArray<string> = asymmetricAlgorithms
const verify = verifyByNode()

const pairs = await Promise.all(algorithms.map(async (alg) => [alg, await keyFor(alg)] as const))
const holders: ReadonlyArray<ForeignKey> = pairs.map(([alg, { kid, jwk }]) => ({
  alg,
  kid,
  jwk,
  publishedAt: epochSeconds(0),
}))
const tokens = await Promise.all(pairs.map(([alg, key]) => signedWith(key, { alg })))

const byJose = async (token: string, alg: string, { jwk }: ForeignKey): Promise<boolean> => {
  try {
    await compactVerify(token, await importJWK({ ...jwk }, alg), { algorithms: [alg] })
    return true
  } catch {
    return false
  }
}

const agree = async (token: string, alg: string, holder: ForeignKey): Promise<boolean> => {
  const isVerified = await verify(token, alg, holder)
  assert.is(isVerified, await byJose(token, alg, holder), `${alg} by the key of ${holder.alg}: ${token}`)
  return isVerified
}

signatures('each algorithm verifies what its own key signed', async () => {
  for (const [index, token] of tokens.entries()) {
    const alg = algorithms[index]
    const holder = holders[index]
    if (alg === undefined || holder === undefined) throw new Error('each token has its algorithm and its key')
    assert.ok(await agree(token, alg, holder), alg)
  }
})

// One RSA key is in all RSA rings, so that some of them do verify.
signatures('a token by the key of another algorithm is judged as jose judges it', async () => {
  for (const [index, token] of tokens.entries())
    for (const holder of holders) await agree(token, algorithms[index] ?? '', holder)
})

signatures('a changed signature or input is judged as jose judges it', async () => {
  const which = fc.nat({ max: tokens.length - 1 })
  const changed = fc.tuple(which, fc.double({ min: 0, max: 0.999, noNaN: true }), fc.constantFrom(...'AgQw5_-.'))
  await fc.assert(
    fc.asyncProperty(changed, async ([index, share, character]) => {
      const token = tokens[index] ?? ''
      const alg = algorithms[index] ?? ''
      const holder = holders[index]
      // The header names the algorithm, which was judged before.
      const from = token.indexOf('.') + 1
      const at = from + Math.floor(share * (token.length - from))
      const text = `${token.slice(0, at)}${character}${token.slice(at + 1)}`
      if (holder === undefined || text.split('.').length !== 3) return
      const isVerified = await agree(text, alg, holder)
      assert.is(isVerified && text !== token && !isSameSignature(text, token), false)
    }),
  )
})

// The last character of a segment may have bits after the last byte.
const isSameSignature = (one: string, other: string): boolean =>
  one.split('.').every((segment, index) => {
    const before = other.split('.')[index] ?? ''
    return index < 2 ? segment === before : Buffer.from(segment, 'base64url').equals(Buffer.from(before, 'base64url'))
  })

signatures('an unknown algorithm, a key that cannot be read, and no token verify nothing', async () => {
  const [holder] = holders
  if (holder === undefined) throw new Error('there is a key')
  const [token = ''] = tokens
  for (const alg of ['none', 'HS256', 'ES256K', 'toString', '']) assert.not(await verify(token, alg, holder), alg)
  const broken = { ...holder, jwk: { ...holder.jwk, kty: 'RSA', n: '', e: '' } } as ForeignKey
  assert.not(await verify(token, 'RS256', broken))
  for (const text of ['', '.', '..', 'a.b', token.slice(0, token.lastIndexOf('.') + 1)])
    assert.not(await verify(text, 'RS256', holder), text)
})

signatures.run()
