import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { challenge } from '../../src/http/response.js'

const challenges = suite('challenge')

// RFC 9110 §5.6.4, of printable ASCII
const quotedPair = /\\(.)/g
const parameters = /^Bearer error="((?:[^"\\]|\\.)*)", error_description="((?:[^"\\]|\\.)*)"$/

challenges('is bare where no credential was presented (RFC 6750 §3.1)', () => {
  assert.equal(challenge(), { 'WWW-Authenticate': 'Bearer' })
})

challenges('separates its parameters by a comma (RFC 9110 §11.2)', () => {
  assert.equal(challenge('invalid_token', 'unknown'), {
    'WWW-Authenticate': 'Bearer error="invalid_token", error_description="unknown"',
  })
})

challenges('escapes quotes and backslashes, so that a reader has the text again (RFC 9110 §5.6.4)', () => {
  const text = fc.stringMatching(/^[ -~]*$/)
  fc.assert(
    fc.property(text, text, (error, description) => {
      const [, first = '?', second = '?'] =
        parameters.exec(challenge(error, description)['WWW-Authenticate'] ?? '') ?? []
      assert.equal(
        [first, second].map((part) => part.replace(quotedPair, '$1')),
        [error, description],
      )
    }),
  )
})

challenges.run()
