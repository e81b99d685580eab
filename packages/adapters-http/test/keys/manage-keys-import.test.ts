import { type KeyRing, keysOf, revoke } from '@clientele/domain/keys'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { at, master } from '../support/in-memory-ports.js'
import {
  type Jwk,
  type KeyAnswer,
  type KeyService,
  keyFor,
  keyPolicyHere as policy,
  margin,
  privateJwk,
  right,
  ringWith,
  withKeys,
} from '../support/keys.js'

const imports = suite('POST /keys/import')

const [es, ed, rsa, es1, es2, es3, ed1] = await Promise.all([
  keyFor('ES256'),
  keyFor('EdDSA'),
  keyFor('RSA-OAEP-256'),
  keyFor('ES256', 1),
  keyFor('ES256', 2),
  keyFor('ES256', 3),
  keyFor('EdDSA', 1),
])

const first = { ...privateJwk(es1), kid: 'first', use: 'sig', alg: 'ES256' }
const second = { ...privateJwk(es2), kid: 'second' }
const third = { ...privateJwk(ed1), kid: 'third' }
const publicOnly: Jwk = { ...es3.jwk, kid: 'public' }

const esRing = ringWith('ES256', es)
const begun = [esRing, ringWith('EdDSA', ed), ringWith('RSA-OAEP-256', rsa, 'enc')]

/** Serves the rings, and searches every answer for the sent private keys as well. */
const serving = (rings: ReadonlyArray<KeyRing>, use: (service: KeyService) => Promise<void>): Promise<void> =>
  withKeys(rings, use, [es1, es2, es3, ed1].map(privateJwk))

const importing = ({ ask }: KeyService, json: unknown): Promise<KeyAnswer> =>
  ask('POST', '/keys/import', { token: master, json })

const keysIn = ({ members }: KeyAnswer): unknown =>
  Array.isArray(members['keys'])
    ? members['keys'].map(({ kid, phase }: { kid: string; phase: string }) => `${kid} ${phase}`)
    : members

imports('the first key of each algorithm signs at once, and the others verify', async () =>
  serving(begun, async (service) => {
    const answer = await importing(service, { keys: [first, third, second] })
    assert.is(answer.status, 200)
    const inEs = ['first signing', `${es.kid} retired`, 'second retired']
    assert.equal(keysIn(answer), [...inEs, 'third signing', `${ed.kid} retired`])
    const stored = await service.stored()
    assert.equal(
      stored.map((ring) => keysOf(ring).map(({ key }) => key.kid)),
      [['first', es.kid, 'second'], ['third', ed.kid], [rsa.kid]],
    )
    assert.equal(stored[0]?.current.key.jwk, es1.jwk)
    assert.equal(privateJwk(stored[0]?.current.key ?? es), privateJwk(es1))
    assert.equal(
      stored[0]?.retired.map(({ forgottenAt }) => forgottenAt - at),
      [policy.retention + margin, policy.retention + margin],
    )
    assert.equal(stored[2], begun[2])
  }),
)

imports('a key without a name is known by its thumbprint from then on', async () =>
  serving(begun, async (service) => {
    assert.is((await importing(service, { keys: [privateJwk(es1)] })).status, 200)
    const [ring] = await service.stored()
    assert.is(ring?.current.key.kid, es1.kid)
    assert.is((await importing(service, { keys: [privateJwk(es1)] })).status, 409)
  }),
)

/** Asserts this answer, and that all rings are unchanged. */
const refusing = (statement: string, json: unknown, holds: (answer: KeyAnswer) => void): void =>
  imports(statement, async () =>
    serving(begun, async (service) => {
      holds(await importing(service, json))
      assert.equal(await service.stored(), begun)
    }),
  )

const isInvalid =
  (...patterns: ReadonlyArray<RegExp>) =>
  ({ status, members }: KeyAnswer): void => {
    assert.equal([status, members['error'], typeof members['error_description']], [400, 'invalid_keys', 'string'])
    const { faults } = members
    assert.ok(Array.isArray(faults))
    assert.is(faults.length, patterns.length, faults.join('; '))
    for (const [index, pattern] of patterns.entries()) assert.match(String(faults[index]), pattern)
  }

refusing('a public key is 400, with its place, and nothing is taken', { keys: [first, publicOnly] }, (answer) =>
  isInvalid(/^\/keys\/1 must be a private key, with d/)(answer),
)

refusing(
  'everything that is wrong is told at once',
  { keys: [publicOnly, { ...first, d: privateJwk(ed1)['d'] }, { ...second, kid: 'a b' }, third, 1] },
  (answer) => isInvalid(/^\/keys\/0 /, /^\/keys\/1 /, /^\/keys\/2 kid /, /^\/keys\/4 /)(answer),
)

refusing(
  'one name for two keys of different algorithms is 400',
  { keys: [first, { ...third, kid: 'first' }] },
  (answer) => isInvalid(/^\/keys\/1 kid must not repeat a kid/)(answer),
)

const isKnown =
  (kid: unknown) =>
  ({ status, members: { error, known, ...more } }: KeyAnswer): void => {
    assert.equal([status, error, known, Object.keys(more)], [409, 'kid_known', [kid], ['error_description']])
  }

refusing(
  'a name that the ring has is 409, and nothing is taken',
  { keys: [third, { ...first, kid: es.kid }] },
  isKnown(es.kid),
)
refusing('a name that another ring has is 409, too', { keys: [third, { ...first, kid: rsa.kid }] }, isKnown(rsa.kid))

imports('the name of a key that is gone does not come again', async () => {
  const { ring } = right(revoke(at)(esRing, es.kid, es3))
  await serving([ring, ...begun.slice(1)], async (service) => {
    isKnown(es.kid)(await importing(service, { keys: [third, privateJwk(es)] }))
    assert.equal(await service.stored(), [ring, ...begun.slice(1)])
  })
})

imports('an algorithm without an open ring is 400 with those that have one, and nothing is taken', async () => {
  const closed: KeyRing = { ...esRing, closedAt: at }
  await serving([closed, ...begun.slice(1)], async (service) => {
    for (const json of [{ keys: [third, first] }, { keys: [third, { ...privateJwk(rsa), kid: 'a', alg: 'PS256' }] }]) {
      const { status, members } = await importing(service, json)
      assert.equal([status, members['error']], [400, 'unknown_algorithm'])
      assert.equal(members['known'], ['EdDSA'])
      assert.match(String(members['error_description']), 'to encrypt to, there is RSA-OAEP-256')
    }
    assert.equal(await service.stored(), [closed, ...begun.slice(1)])
  })
})

imports('a body that is no set of keys is 400, and nothing happens', async () =>
  serving(begun, async (service) => {
    for (const json of [null, [], [first], 1, true, 'text', {}, { keys: [] }, { keys: {} }, { keys: null }, first]) {
      const { status, members } = await importing(service, json)
      assert.equal([status, members['error']], [400, 'invalid_keys'], JSON.stringify(json))
    }
    const none = await importing(service, undefined)
    assert.equal([none.status, none.members['error']], [400, 'invalid_request'])
    assert.equal(await service.stored(), begun)
  }),
)

imports('text that is no JSON is 400, and not told again', async () =>
  serving(begun, async ({ ask, stored }) => {
    const headers = { 'content-type': 'application/json' }
    for (const body of [JSON.stringify({ keys: [first] }).slice(0, -1), String(privateJwk(es1)['d'])]) {
      const { status, members } = await ask('POST', '/keys/import', { token: master, headers, body })
      assert.equal([status, members['error']], [400, 'invalid_request'])
    }
    assert.equal(await stored(), begun)
  }),
)

imports.run()
