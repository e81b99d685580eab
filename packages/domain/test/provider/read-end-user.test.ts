import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { epochSeconds } from '../../src/kernel/time.js'
import { isJsonObject, maxDepth } from '../../src/kernel/json-object.js'
import { maxAuthenticationSkew, readEndUser } from '../../src/provider/login.js'
import { Subject } from '../../src/logout/sessions.js'
import { law } from '@clientele/testing'

const EndUser = suite('readEndUser')
const it = law(EndUser)

const at = epochSeconds(1_800_000_000_000)
const refusedFor = (claims: unknown): string => {
  const read = readEndUser(claims, at)
  return E.isLeft(read) ? read.left.reason : 'not refused'
}

it('any value is a refusal with a short reason, or an end-user with valid values', [fc.anything()], (value) => {
  for (const claims of [
    value,
    { sub: value },
    { sub: 'a', auth_time: value, acr: value },
    { sub: 'a', amr: value, x: value },
  ]) {
    const read = readEndUser(claims, at)
    if (E.isLeft(read)) assert.match(read.left.reason, /^[\x20-\x7e]{1,200}$/)
    else {
      assert.ok(Subject.is(read.right.sub) && read.right.auth_time <= at)
      assert.ok(isJsonObject(maxDepth)(read.right.claims) && !Object.hasOwn(read.right.claims, 'sub'))
    }
  }
})

it('claims about the end-user pass as they are', [fc.string({ unit: 'grapheme' }), fc.boolean()], (name, verified) =>
  assert.equal(readEndUser({ sub: '1', name, email_verified: verified }, at), {
    _tag: 'Right',
    right: { sub: '1', claims: { name, email_verified: verified }, auth_time: at },
  }),
)

it('a time of authentication up to now passes', [fc.nat({ max: at })], (auth_time) => {
  const read = readEndUser({ sub: '1', auth_time }, at)
  assert.ok(E.isRight(read) && read.right.auth_time === auth_time)
})

EndUser('claims about the token are left out, those about the authentication stand beside the claims', () => {
  const claims = { iss: 'i', sub: '1', aud: 'a', exp: 1, iat: 1, jti: 'j', nonce: 'n', sid: 's', at_hash: 'h' }
  const read = readEndUser({ ...claims, acr: 'gold', amr: ['pwd', 'otp'], auth_time: at - 5, email: 'a@b.example' }, at)
  const right = { sub: '1', claims: { email: 'a@b.example' }, auth_time: at - 5, acr: 'gold', amr: ['pwd', 'otp'] }
  assert.equal(read, { _tag: 'Right', right })
})

EndUser('a clock that is a little ahead counts as now', () => {
  const read = readEndUser({ sub: '1', auth_time: at + maxAuthenticationSkew }, at)
  assert.ok(E.isRight(read) && read.right.auth_time === at)
})

EndUser('each bad value is refused by its name', () => {
  assert.match(refusedFor([]), /claims must be an object/)
  assert.match(refusedFor({}), /^sub /)
  assert.match(refusedFor({ sub: 'é' }), /^sub /)
  assert.match(refusedFor({ sub: 'a'.repeat(256) }), /^sub /)
  assert.match(refusedFor({ sub: '1', auth_time: at + maxAuthenticationSkew + 1 }), /^auth_time /)
  assert.match(refusedFor({ sub: '1', auth_time: '5' }), /^auth_time /)
  assert.match(refusedFor({ sub: '1', acr: 0 }), /^acr /)
  assert.match(refusedFor({ sub: '1', amr: 'pwd' }), /^amr /)
  assert.match(refusedFor({ sub: '1', amr: Array(11).fill('pwd') }), /^amr /)
  assert.match(refusedFor({ sub: '1', name: 'a'.repeat(20_000) }), /at most 16384/)
  assert.match(refusedFor({ sub: '1', picture: () => 1 }), /must be JSON/)
})

EndUser.run()
