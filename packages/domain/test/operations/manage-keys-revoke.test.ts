import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { unauditedKeys } from '../../src/operations/roll-over.js'
import { operatorOfTheStore } from '../../src/authorization/credential.js'
import { secondsAfter } from '../../src/kernel/time.js'
import type { KeyDescription } from '../../src/keys/published.js'
import { knownKids } from '../../src/keys/ring.js'
import { manageKeys } from '../../src/operations/keys.js'
import { done, namedKey, refused, exampleOrigin } from '@clientele/testing'
import { beginning, keyService, publishedRings } from '../support/key-maker.js'

const Manage = suite('manageKeys: compromise and import')

const policy = { lifetime: 1_000, publishAhead: 100, retention: 50, maxAge: 40 }
const settings = { policy, signingAlgorithms: ['ES256', 'EdDSA'] }
const after = (seconds: number) => secondsAfter(beginning, seconds)

/** Its ring of EdDSA has a retired key, EdDSA-1, one that signs, EdDSA-3, and an announced one, EdDSA-4. */
const managed = async () => {
  const service = keyService()
  await done(publishedRings(settings, { ...unauditedKeys, ...service.ports }))
  const keys = manageKeys(settings, service.ports)(operatorOfTheStore(), { origin: exampleOrigin })
  for (const seconds of [0, 100]) {
    service.clock.at = after(seconds)
    await done(keys.rollOver({ alg: 'EdDSA', dryRun: false }))
  }
  return { service, keys, stored: await service.stored() }
}

const phases = (keys: ReadonlyArray<KeyDescription>) => keys.map(({ kid, phase }) => `${kid} ${phase}`)
const everyKid = ['ES256-0', 'EdDSA-4', 'EdDSA-3', 'EdDSA-1', 'RSA-OAEP-256-2']

const cases = [
  { kid: 'EdDSA-4', phase: 'announced', left: ['EdDSA-3 signing', 'EdDSA-1 retired'] },
  { kid: 'EdDSA-3', phase: 'signing', left: ['EdDSA-4 signing', 'EdDSA-1 retired'] },
  { kid: 'EdDSA-1', phase: 'retired', left: ['EdDSA-4 announced', 'EdDSA-3 signing'] },
  { kid: 'ES256-0', phase: 'signing', left: ['ES256-5 signing'] },
  { kid: 'RSA-OAEP-256-2', phase: 'published', left: ['RSA-OAEP-256-5 published'] },
]

for (const { kid, phase, left } of cases) {
  Manage(`${kid}, ${phase}, is out of the set at once, and its name never comes again`, async () => {
    const { service, keys, stored } = await managed()
    const dry = await done(keys.revoke({ kid, dryRun: true }))
    assert.equal([dry.phase, phases(dry.keys).length], [phase, left.length])
    assert.equal(await service.stored(), stored)
    const others = stored.filter((ring) => !knownKids(ring).includes(kid))
    const again = await managed()
    const answer = await done(again.keys.revoke({ kid, dryRun: false }))
    assert.equal([answer.phase, phases(answer.keys)], [phase, left])
    const rings = await again.service.stored()
    const ring = rings.find((each) => knownKids(each).includes(kid))
    assert.equal(ring?.forgotten, [kid])
    assert.equal(
      rings.filter((each) => each !== ring),
      others,
    )
    assert.not((await done(again.keys.listKeys)).keys.some((key) => key.kid === kid))
  })
}

Manage('the key of a ring that is closed is compromised as well', async () => {
  const { service, keys } = await managed()
  await done(publishedRings({ policy, signingAlgorithms: ['EdDSA'] }, { ...unauditedKeys, ...service.ports }))
  const answer = await done(keys.revoke({ kid: 'ES256-0', dryRun: false }))
  assert.equal([answer.phase, phases(answer.keys)], ['signing', ['ES256-5 closed']])
})

Manage('a kid that no key has, or has any more, is refused with those that there are', async () => {
  const { service, keys } = await managed()
  for (const kid of ['', 'nobody', 'es256-0']) {
    const refusal = await refused(keys.revoke({ kid, dryRun: false }))
    assert.is(refusal.error, 'unknown_kid')
    assert.equal('known' in refusal && refusal.known, everyKid)
  }
  await done(keys.revoke({ kid: 'EdDSA-1', dryRun: false }))
  const refusal = await refused(keys.revoke({ kid: 'EdDSA-1', dryRun: false }))
  assert.equal(
    'known' in refusal && refusal.known,
    everyKid.filter((kid) => kid !== 'EdDSA-1'),
  )
  assert.is(service.writes.length, 4)
})

Manage('what a revocation breaks is told by the use and the phase of the key', async () => {
  const { service, keys } = await managed()
  service.clock.at = after(110)
  await done(keys.rollOver({ alg: 'RSA-OAEP-256', dryRun: false }))
  for (const [kid, told] of [
    ['EdDSA-4', /^EdDSA-4 was announced and did nothing yet: nothing breaks\.$/],
    ['EdDSA-3', /users sign in again\.\n.*jwks-max-age seconds\.\nEdDSA-4 signs at once: it was announced/],
    ['EdDSA-1', /^Tokens that EdDSA-1 signed do not verify any more, although they have not expired\.$/],
    ['ES256-0', /users sign in again\.\n.*\nA new key signs at once/],
    ['RSA-OAEP-256-5', /^RSA-OAEP-256-5 was announced and did nothing yet: nothing breaks\.$/],
    [
      'RSA-OAEP-256-2',
      /^What was encrypted to RSA-OAEP-256-2 cannot be read any more; its senders must encrypt it anew\.$/,
    ],
  ] as const)
    assert.match((await done(keys.revoke({ kid, dryRun: true }))).consequences.join('\n'), told)
})

const one = namedKey('one')
const other = namedKey('other')

Manage('keys of several algorithms are imported together: the first of each signs, all others verify', async () => {
  const { service, keys } = await managed()
  const answer = await done(
    keys.importKeys({
      keys: [
        { alg: 'EdDSA', keys: [one, other] },
        { alg: 'ES256', keys: [namedKey('third')] },
      ],
      dryRun: false,
    }),
  )
  assert.equal(phases(answer.keys), [
    'one signing',
    'EdDSA-1 retired',
    'EdDSA-3 retired',
    'EdDSA-4 retired',
    'other retired',
    'third signing',
    'ES256-0 retired',
  ])
  assert.is(service.writes.length, 4, 'all of them are stored together')
})

Manage('all keys are imported, or none', async () => {
  const { service, keys, stored } = await managed()
  await done(keys.revoke({ kid: 'EdDSA-1', dryRun: false }))
  const before = await service.stored()
  const valid = { alg: 'ES256', keys: [one] }
  for (const [spoiling, error] of [
    [{ alg: 'RS256', keys: [other] }, 'unknown_algorithm'],
    [{ alg: 'EdDSA', keys: [other, namedKey('ES256-0')] }, 'kid_known'],
    [{ alg: 'EdDSA', keys: [namedKey('RSA-OAEP-256-2')] }, 'kid_known'],
    [{ alg: 'RSA-OAEP-256', keys: [namedKey('EdDSA-1')] }, 'kid_known'],
    [{ alg: 'EdDSA', keys: [other, other] }, 'kid_known'],
  ] as const)
    for (const imported of [
      [valid, spoiling],
      [spoiling, valid],
    ])
      assert.is((await refused(keys.importKeys({ keys: imported, dryRun: false }))).error, error)
  assert.equal(await service.stored(), before)
  assert.is.not(JSON.stringify(before), JSON.stringify(stored))
})

Manage('an algorithm that no ring has is refused with those that there are', async () => {
  const { keys } = await managed()
  const refusal = await refused(keys.importKeys({ keys: [{ alg: 'RS256', keys: [one] }], dryRun: false }))
  assert.equal('known' in refusal && refusal.known, ['ES256', 'EdDSA'])
  assert.match(
    'error_description' in refusal ? refusal.error_description : '',
    /; to encrypt to, there is RSA-OAEP-256$/,
  )
})

Manage('no keys change nothing', async () => {
  const { service, keys, stored } = await managed()
  assert.equal(await done(keys.importKeys({ keys: [], dryRun: false })), { keys: [] })
  assert.equal(await service.stored(), stored)
})

Manage.run()
