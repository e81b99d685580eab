import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { law, registeredClient } from '@clientele/testing'
import { preconditionFailed, preconditionRequired } from '../../src/kernel/refusals.js'
import { type IfMatch, checkPrecondition, entityTagOf } from '../../src/registration/registered-client.js'

const EntityTags = suite('entity tags of clients')
const it = law(EntityTags)

const tags = fc.array(fc.string(), { maxLength: 4 })
const ifMatch: fc.Arbitrary<IfMatch> = fc.oneof(fc.constant(undefined), fc.constant('*' as const), tags)

it('the tag is an opaque tag in quotation marks (RFC 9110 §8.8.3)', [registeredClient()], (client) => {
  assert.match(entityTagOf(client), /^"[\x21\x23-\x7e]+"$/)
})

it(
  'two tags are the same only for one registration in one version',
  [registeredClient(), registeredClient(), fc.nat(3), fc.nat(3), fc.boolean()],
  (client, other, version, otherVersion, isSame) => {
    const one = { ...client, version }
    // Another life of the client, at the same second
    const two = { ...client, ...(isSame ? {} : { registration_id: other.registration_id }), version: otherVersion }
    const areOne = one.registration_id === two.registration_id && version === otherVersion
    assert.is(entityTagOf(one) === entityTagOf(two), areOne)
  },
)

it('the registration_id is not in the tag as a whole', [registeredClient()], (client) => {
  assert.not.ok(entityTagOf(client).includes(client.registration_id))
})

it(
  'a request that names the version, or any, is permitted',
  [registeredClient(), tags, fc.boolean()],
  (client, others, isRequired) => {
    for (const named of ['*' as const, [...others, entityTagOf(client)]])
      assert.equal(checkPrecondition(isRequired, named)(client), E.right(undefined))
  },
)

it(
  'a request that names other versions alone, or a weak tag, is refused',
  [registeredClient(), tags, fc.boolean()],
  (client, others, isRequired) => {
    const tag = entityTagOf(client)
    const named = [...others.filter((other) => other !== tag), `W/${tag}`, tag.slice(1), tag.slice(1, -1)]
    assert.equal(checkPrecondition(isRequired, named)(client), E.left(preconditionFailed))
  },
)

it('a request that names none is refused only where one is required', [registeredClient()], (client) => {
  assert.equal(checkPrecondition(false, undefined)(client), E.right(undefined))
  assert.equal(checkPrecondition(true, undefined)(client), E.left(preconditionRequired))
})

it(
  'what may not be required is permitted wherever the same is required',
  [registeredClient(), ifMatch],
  (client, named) => {
    if (E.isRight(checkPrecondition(true, named)(client)))
      assert.equal(checkPrecondition(false, named)(client), E.right(undefined))
  },
)

EntityTags.run()
