import fc from 'fast-check'
import { TokenHash } from '@clientele/domain/authorization'
import { createHash } from 'node:crypto'
import { suite } from 'uvu'
import { hashOfSha256, hashToken } from '../../src/node/credentials.js'

const anyToken = fc.string({ unit: 'grapheme', maxLength: 200 })
const sha256 = (token: string): Buffer => createHash('sha256').update(token).digest()

const hash = suite('hash token')

hash('every token has a TokenHash, the same one each time', () => {
  fc.assert(
    fc.property(anyToken, (token) => {
      const one = hashToken('k')(token)
      const again = hashToken('k')(token)
      return TokenHash.is(one) && one === again
    }),
  )
})

hash('different tokens, and different keys, give different hashes', () => {
  fc.assert(
    fc.property(anyToken, anyToken, (one, other) => {
      fc.pre(one !== other)
      return hashToken('k')(one) !== hashToken('k')(other) && hashToken('k')(one) !== hashToken('l')(one)
    }),
  )
})

hash('the SHA-256 of a token has the hash of the token', () => {
  fc.assert(fc.property(anyToken, (token) => hashOfSha256('k')(sha256(token)) === hashToken('k')(token)))
})

hash.run()
