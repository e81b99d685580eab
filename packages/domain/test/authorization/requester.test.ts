import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isOperators, requesterOf } from '../../src/authorization/credential.js'
import { law, presentedCredential } from '@clientele/testing'

const Requesters = suite('requesterOf')
const it = law(Requesters)

const by = fc.constantFrom('nobody' as const, 'token' as const, 'operator_token' as const, 'master' as const)
const address = fc.option(fc.oneof(fc.ipV4(), fc.ipV6()), { nil: undefined })

it(
  'whoever presents a credential that not anybody has counts for it, wherever they ask from',
  [presentedCredential(), by, address, address],
  (credential, registeredBy, one, other) => {
    const requester = requesterOf(credential, registeredBy, one)
    if (requester.kind === 'nobody') return
    assert.equal(requester, isOperators(credential) ? { kind: 'master' } : credential)
    assert.equal(requesterOf(credential, registeredBy, other), requester)
  },
)

it('what anybody can have does not tell anybody apart', [presentedCredential(), address], (credential, from) => {
  const requester = requesterOf(credential, 'nobody', from)
  assert.equal(requester, isOperators(credential) ? { kind: 'master' } : { kind: 'nobody', address: from })
})

it(
  'one who presents nothing of use counts for the address',
  [fc.constantFrom({ kind: 'none' as const }, { kind: 'unusable' as const }), by, address],
  (credential, registeredBy, from) => {
    assert.equal(requesterOf(credential, registeredBy, from), { kind: 'nobody', address: from })
  },
)

Requesters.run()
