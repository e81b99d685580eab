import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { unauditedKeys } from '../../src/operations/roll-over.js'
import { operatorOfTheStore } from '../../src/authorization/credential.js'
import { secondsAfter } from '../../src/kernel/time.js'
import type { KeyDescription } from '../../src/keys/published.js'
import { keyRingChanged, unreadableKeyRing } from '../../src/ports/store.js'
import { type ManageKeysPorts, manageKeys } from '../../src/operations/keys.js'
import { done, refused, exampleForeignKey, exampleOrigin, namedKey, noRow } from '@clientele/testing'
import { beginning, keyService, publishedRings } from '../support/key-maker.js'

const Manage = suite('manageKeys')

const policy = { lifetime: 1_000, publishAhead: 100, retention: 50, maxAge: 40 }
const settings = { policy, signingAlgorithms: ['ES256', 'EdDSA'] }
const after = (seconds: number) => secondsAfter(beginning, seconds)
const known = ['ES256', 'EdDSA', 'RSA-OAEP-256']

/** A service whose rings were reconciled once: their keys are ES256-0, EdDSA-1 and RSA-OAEP-256-2. */
const managed = async () => {
  const service = keyService()
  const reconciled = await done(publishedRings(settings, { ...unauditedKeys, ...service.ports }))
  return {
    service,
    reconciled,
    keys: manageKeys(settings, service.ports)(operatorOfTheStore(), { origin: exampleOrigin }),
  }
}

const phases = (keys: ReadonlyArray<KeyDescription>) => keys.map(({ kid, phase }) => `${kid} ${phase}`)
const timeline = (keys: ReadonlyArray<KeyDescription>) =>
  keys.map(({ phase, since, next, next_at }) => ({ phase, since, next, next_at }))

const allSign = ['ES256-0 signing', 'EdDSA-1 signing', 'RSA-OAEP-256-2 published']

Manage('all keys are listed; before the rings are made there are none', async () => {
  const { keys } = await managed()
  assert.equal(phases((await done(keys.listKeys)).keys), allSign)
  assert.equal(
    await done(manageKeys(settings, keyService().ports)(operatorOfTheStore(), { origin: exampleOrigin }).listKeys),
    {
      keys: [],
      foreign: [],
    },
  )
})

Manage('a ring that cannot be read makes every operation unavailable, and nothing is changed', async () => {
  const { service } = await managed()
  const ports = { ...service.ports, readKeyRings: TE.left(unreadableKeyRing('ES256')) }
  const keys = manageKeys(settings, ports)(operatorOfTheStore(), { origin: exampleOrigin })
  for (const answer of [
    keys.listKeys,
    keys.rollOver({ dryRun: false }),
    keys.revoke({ kid: 'ES256-0', dryRun: false }),
    keys.importKeys({ keys: [], dryRun: false }),
  ])
    assert.is((await refused<{ readonly error: string }, unknown>(answer)).error, 'unavailable')
  assert.is(service.writes.length, 1)
})

Manage('one ring rolls over: its successor is announced, and the others are left alone', async () => {
  const { service, reconciled, keys } = await managed()
  service.clock.at = after(10)
  const answer = await done(keys.rollOver({ alg: 'ES256', dryRun: false }))
  assert.equal(phases(answer.keys), ['ES256-3 announced', 'ES256-0 signing'])
  assert.equal(timeline(answer.keys), [
    { phase: 'announced', since: after(10), next: 'signs', next_at: after(110) },
    { phase: 'signing', since: beginning, next: 'retires', next_at: after(110) },
  ])
  const [rolled, ...others] = await service.stored()
  assert.is(rolled?.announced?.key.kid, 'ES256-3')
  assert.equal([rolled?.version, others], [2, reconciled.slice(1)])
  assert.equal(phases((await done(keys.listKeys)).keys), [...phases(answer.keys), ...allSign.slice(1)])
})

Manage('all rings roll over, the one to encrypt to as well', async () => {
  const { service, keys } = await managed()
  const answer = await done(keys.rollOver({ dryRun: false }))
  const announced = answer.keys.filter(({ phase }) => phase === 'announced').map(({ alg }) => alg)
  assert.equal(announced, known)
  assert.equal({ ...answer, foreign: [] }, await done(keys.listKeys))
  assert.is(service.writes.length, 2, 'all of them are stored together')
})

Manage('a dry run tells the same timeline, and keeps nothing', async () => {
  const { service, reconciled, keys } = await managed()
  for (const alg of [{}, { alg: 'EdDSA' }]) {
    const dry = await done(keys.rollOver({ ...alg, dryRun: true }))
    assert.equal(await service.stored(), reconciled)
    assert.equal(phases((await done(keys.listKeys)).keys), allSign)
    const other = await managed()
    assert.equal(timeline(dry.keys), timeline((await done(other.keys.rollOver({ ...alg, dryRun: false }))).keys))
  }
  const dry = await done(keys.rollOver({ alg: 'ES256', dryRun: true }))
  const real = await done(keys.rollOver({ alg: 'ES256', dryRun: false }))
  assert.is.not(dry.keys[0]?.kid, real.keys[0]?.kid, 'the key of a dry run is never used')
})

Manage('an algorithm that no ring in use has is refused, with those that there are', async () => {
  const { service, keys } = await managed()
  for (const dryRun of [true, false]) {
    const refusal = await refused(keys.rollOver({ alg: 'RS256', dryRun }))
    assert.is(refusal.error, 'unknown_algorithm')
    assert.equal('known' in refusal && refusal.known, known.slice(0, 2))
  }
  await done(publishedRings({ policy, signingAlgorithms: ['EdDSA'] }, { ...unauditedKeys, ...service.ports }))
  const closed = await refused(keys.rollOver({ alg: 'ES256', dryRun: false }))
  assert.equal('known' in closed && closed.known, ['EdDSA'])
})

Manage('a roll-over that is under way is refused, with the time at which the successor signs', async () => {
  const { service, keys } = await managed()
  await done(keys.rollOver({ dryRun: false }))
  service.clock.at = after(99)
  const stored = await service.stored()
  for (const request of [{ alg: 'EdDSA' }, {}]) {
    const refusal = await refused(keys.rollOver({ ...request, dryRun: false }))
    assert.is(refusal.error, 'roll_over_under_way')
    assert.is('signs_from' in refusal && refusal.signs_from, after(100))
  }
  assert.equal(await service.stored(), stored, 'nothing is stored')
})

Manage('a successor whose time has come signs first, and then the next one is announced', async () => {
  const { service, keys } = await managed()
  await done(keys.rollOver({ alg: 'EdDSA', dryRun: false }))
  service.clock.at = after(100)
  const answer = await done(keys.rollOver({ alg: 'EdDSA', dryRun: false }))
  assert.equal(phases(answer.keys), ['EdDSA-4 announced', 'EdDSA-3 signing', 'EdDSA-1 retired'])
})

Manage('a kid of another signer is not imported, nor any other key of the file', async () => {
  const { service, reconciled, keys } = await managed()
  await done(keys.importForeignKeys({ keys: [exampleForeignKey('theirs')], dryRun: false }))
  const imported = [{ alg: 'ES256', keys: [namedKey('new'), namedKey('theirs')] }]
  for (const dryRun of [true, false])
    assert.is((await refused(keys.importKeys({ keys: imported, dryRun }))).error, 'kid_known')
  assert.equal(await service.stored(), reconciled)
  await done(keys.removeForeignKey('theirs'))
  await done(keys.importKeys({ keys: imported, dryRun: false }))
})

Manage('who loses the race does it again on what the winner left', async () => {
  const { service, keys } = await managed()
  let isFirst = true
  const racing = manageKeys(settings, {
    ...service.ports,
    replaceKeyRings: (changes, decidedAt) => async () => {
      if (!isFirst) return service.ports.replaceKeyRings(changes, decidedAt, noRow)()
      isFirst = false
      await done(keys.revoke({ kid: 'EdDSA-1', dryRun: false }))
      return { _tag: 'Left', left: keyRingChanged }
    },
  })(operatorOfTheStore(), { origin: exampleOrigin })
  const answer = await done(racing.rollOver({ alg: 'EdDSA', dryRun: false }))
  assert.equal(phases(answer.keys), ['EdDSA-5 announced', 'EdDSA-4 signing'])
  assert.equal((await service.stored()).find(({ alg }) => alg === 'EdDSA')?.forgotten, ['EdDSA-1'])
})

Manage('of two imports of one kid at once, the later one is refused, whichever it is', async () => {
  const theirs = { keys: [exampleForeignKey('theirs')], dryRun: false }
  const own = { keys: [{ alg: 'ES256', keys: [namedKey('theirs')] }], dryRun: false }
  const { service, keys } = await managed()
  const managing = (ports: Partial<ManageKeysPorts>) =>
    manageKeys(settings, { ...service.ports, ...ports })(operatorOfTheStore(), { origin: exampleOrigin })
  const beaten = managing({
    replaceKeyRings: (...given) =>
      pipe(
        TE.fromTask(keys.importForeignKeys(theirs)),
        TE.flatMap(() => service.ports.replaceKeyRings(...given)),
      ),
  })
  assert.is((await refused(beaten.importKeys(own))).error, 'kid_known')
  await done(keys.removeForeignKey('theirs'))
  const beatenToo = managing({
    addForeignKeys: (...given) =>
      pipe(
        TE.fromTask(keys.importKeys(own)),
        TE.flatMap(() => service.ports.addForeignKeys(...given)),
      ),
  })
  assert.is((await refused(beatenToo.importForeignKeys(theirs))).error, 'kid_known')
  assert.equal(await done(service.ports.readForeignKeys), [])
})

Manage.run()
