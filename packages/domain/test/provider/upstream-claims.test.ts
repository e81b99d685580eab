import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loginRefused, mapUpstreamClaims } from '../../src/provider/login.js'
import { law } from '@clientele/testing'

const Upstream = suite('claims of another provider')
const it = law(Upstream)

const anyClaims = fc.dictionary(fc.constantFrom('sub', 'email', 'name', 'acr', 'role', 'iss'), fc.string())

it(
  'sub is the digest, and only the listed claims pass, with those about the authentication',
  [anyClaims, fc.subarray(['email', 'name', 'role', 'sub'])],
  (claims, listed) => {
    const mapped = mapUpstreamClaims({ subjectClaim: undefined, claims: listed }, 'digest')(claims)
    if (E.isLeft(mapped)) return assert.unreachable(mapped.left.reason)
    assert.is(mapped.right['sub'], 'digest')
    for (const [name, value] of Object.entries(mapped.right))
      if (name !== 'sub') assert.ok([...listed, 'acr'].includes(name) && claims[name] === value)
  },
)

it('with a claim for sub, its text is sub as it is; no other value is', [fc.jsonValue()], (value) => {
  const claims = JSON.parse(JSON.stringify({ sub: '1', employee: value }))
  const mapped = mapUpstreamClaims({ subjectClaim: 'employee', claims: [] }, 'digest')(claims)
  assert.is(E.isRight(mapped), typeof value === 'string')
  if (E.isRight(mapped)) assert.is(mapped.right['sub'], value)
})

it('a reason is one short line of ASCII', [fc.string({ unit: 'binary', maxLength: 400 })], (text) =>
  assert.match(loginRefused(text).reason, /^[\x20-\x7e]{0,200}$/),
)

Upstream.run()
