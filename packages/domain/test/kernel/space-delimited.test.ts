import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSpaceDelimited, spaceDelimitedValues } from '../../src/kernel/values.js'
import { law, scopeToken } from '@clientele/testing'

const SpaceDelimited = suite('space-delimited')
const it = law(SpaceDelimited)

it(
  'values joined by one blank are read as they are, each once (RFC 6749 §3.3)',
  [fc.array(scopeToken(), { minLength: 1 })],
  (values) => {
    assert.ok(isSpaceDelimited(values.join(' ')))
    assert.equal(spaceDelimitedValues(values.join(' ')), [...new Set(values)])
  },
)

it('any text whatever is judged', [fc.string({ unit: 'binary' })], (text) => {
  if (isSpaceDelimited(text)) assert.match(text, /^[!-~]+( [!-~]+)*$/)
})

for (const text of ['', ' ', ' a', 'a ', 'a  b', 'a\tb', 'a\n', 'a"', 'a\\', 'é', 'a\u00a0b'])
  SpaceDelimited(`${JSON.stringify(text)} is not space-delimited`, () => assert.not(isSpaceDelimited(text)))

SpaceDelimited.run()
