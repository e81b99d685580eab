import * as E from 'fp-ts/lib/Either.js'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { permitRegistrationScope } from '../../src/registration/permit.js'

const Permit = suite('permitRegistrationScope')

const ofRegistration = fc.constantFrom('client-reg', 'client-reg:data', 'client-reg:scope:client-reg', 'client-reg:')
const ofOthers = fc.constantFrom('openid', 'client-registry', 'my-client-reg', 'Client-Reg', 'api:client-reg')
const scopeOf = (...values: ReadonlyArray<fc.Arbitrary<string>>) =>
  fc.array(fc.oneof(...values), { minLength: 1 }).map((all) => ({ scope: all.join(' ') }))
const anyScope = fc.oneof(scopeOf(ofRegistration, ofOthers), fc.constant({}))

Permit('MASTER adds any value, and nobody else one of registration', () => {
  fc.assert(
    fc.property(anyScope, anyScope, ofRegistration, (current, next, value) => {
      assert.equal(permitRegistrationScope(true, current)(next), E.right(next))
      const added = { scope: `${'scope' in next ? next.scope : 'openid'} ${value}` }
      const has = 'scope' in current && current.scope.split(' ').includes(value)
      if (!has) assert.is(permitRegistrationScope(false, current)(added)._tag, 'Left')
    }),
  )
})

Permit('what a client has stays, and values of others need no more than the privileges', () => {
  fc.assert(
    fc.property(anyScope, scopeOf(ofOthers), (current, others) => {
      assert.ok(E.isRight(permitRegistrationScope(false, current)(current)))
      assert.ok(E.isRight(permitRegistrationScope(false, current)(others)))
      assert.ok(E.isRight(permitRegistrationScope(false)(others)))
    }),
  )
})

Permit.run()
