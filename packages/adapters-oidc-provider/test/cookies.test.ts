import * as fc from 'fast-check'
import { createHmac } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { cookieSignatures } from '../src/configuration.js'

const Signatures = suite('signatures of the cookies of the engine')

const keys = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 })

Signatures('are HMAC-SHA-256 by the first key, and verify by every key', () => {
  fc.assert(
    fc.property(keys, fc.string(), (all, data) => {
      const signatures = cookieSignatures(all)
      assert.is(signatures.sign(data), createHmac('sha256', String(all[0])).update(data).digest('base64url'))
      all.forEach((key, place) => {
        const signature = cookieSignatures([key]).sign(data)
        assert.is(signatures.index(data, signature), place)
        assert.is(signatures.verify(data, signature), true)
        assert.is(signatures.verify(`${data}x`, signature), false)
      })
    }),
  )
})

Signatures('nothing else verifies', () => {
  fc.assert(
    fc.property(keys, fc.string(), fc.oneof(fc.string(), fc.base64String()), (all, data, signature) => {
      const signatures = cookieSignatures(all)
      fc.pre(!all.some((key) => cookieSignatures([key]).sign(data) === signature))
      assert.is(signatures.index(data, signature), -1)
    }),
  )
  const sha1 = createHmac('sha1', 'key').update('name=value').digest('base64url')
  assert.is(cookieSignatures(['key']).index('name=value', sha1), -1)
})

Signatures.run()
