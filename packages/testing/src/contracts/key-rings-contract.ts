import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import {
  EpochSeconds,
  keyRingChanged,
  maxStoringTime,
  newRing,
  secondsAfter,
  type KeyRing,
  type KeyUse,
} from '@clientele/domain'
import { namedKey } from '../arbitraries/key-history.js'
import { exampleTime } from '../examples/examples.js'
import { type OpenStore, done, refused, replaceRings } from './open-store.js'
import { type Contract, collect, onNewStore, race } from './contract.js'

const policy = { lifetime: 100, publishAhead: 20, retention: 10, maxAge: 10 }

const ringOf = (alg: string, use: KeyUse = 'sig'): KeyRing =>
  newRing(policy, exampleTime)(alg, use, namedKey(`${alg} ${use}`))

const replaced = (ring: KeyRing, kid: string): KeyRing => ({
  ...ring,
  version: ring.version + 1,
  forgotten: [...ring.forgotten, kid],
})

const added = (next: KeyRing) => ({ next, replacing: O.none })
const inPlaceOf = (ring: KeyRing, next: KeyRing) => ({ next, replacing: O.some(ring) })

const byName = (rings: ReadonlyArray<KeyRing>): ReadonlyArray<KeyRing> =>
  [...rings].sort((one, other) => `${one.alg} ${one.use}`.localeCompare(`${other.alg} ${other.use}`))

// An undefined member may also be left out.
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** The promises of KeyRings. */
export const keyRingsContract = (name: string, open: OpenStore<'keyRings'>): Contract => {
  const { test, tests } = collect(`KeyRings ${name}`)
  const it = onNewStore(test, open)

  it('there are none at first, and those that are stored are read as they are', async ({ keyRings }) => {
    assert.equal(await done(keyRings.readKeyRings), [])
    const rings = [ringOf('ES256'), ringOf('RS256'), ringOf('RS256', 'enc')]
    await done(replaceRings(keyRings)(rings.map(added)))
    assert.equal(plain(byName(await done(keyRings.readKeyRings))), plain(byName(rings)))
  })

  it('the time is in whole seconds, the same by any handle, near the present, and does not go back', async (ports) => {
    const times: Array<number> = []
    for (const { keyRings } of [ports, ports.other, ports, ports.other]) times.push(await done(keyRings.readStoreTime))
    assert.ok(times.every(EpochSeconds.is))
    assert.equal(
      times,
      [...times].sort((one, other) => one - other),
    )
    for (const time of times) assert.ok(Math.abs(time - Date.now() / 1000) < 3_600, `${time}`)
  })

  it('the versions are those of the rings that any handle reads, after every change', async ({ keyRings, other }) => {
    const versions = async (): Promise<ReadonlyArray<string>> => {
      const read = await done(other.keyRings.readKeyRingVersions)
      return read.map(({ alg, use, version }) => `${alg} ${use} ${version}`).sort()
    }
    assert.equal(await versions(), [])
    const rings = [ringOf('ES256'), ringOf('RS256'), ringOf('RS256', 'enc')]
    await done(replaceRings(keyRings)(rings.map(added)))
    assert.equal(await versions(), ['ES256 sig 1', 'RS256 enc 1', 'RS256 sig 1'])
    await done(replaceRings(other.keyRings)(rings.slice(1).map((ring) => inPlaceOf(ring, replaced(ring, 'gone')))))
    assert.equal(await versions(), ['ES256 sig 1', 'RS256 enc 2', 'RS256 sig 2'])
    const stored = await done(keyRings.readKeyRings)
    assert.equal(stored.map(({ alg, use, version }) => `${alg} ${use} ${version}`).sort(), await versions())
  })

  it('every part of a ring is kept', async ({ keyRings }) => {
    const ring = ringOf('EdDSA')
    const key = { ...namedKey('other'), publishedAt: exampleTime }
    const whole: KeyRing = {
      ...ring,
      announced: { key, signsFrom: exampleTime },
      retired: [{ key, since: exampleTime, forgottenAt: exampleTime }],
      opensAt: exampleTime,
      closedAt: exampleTime,
      forgotten: ['gone', '\u0000"ü'],
    }
    await done(replaceRings(keyRings)([added(whole)]))
    assert.equal(plain(await done(keyRings.readKeyRings)), plain([whole]))
  })

  it('a ring is replaced by who read its last version, and by nobody else', async ({ keyRings }) => {
    const ring = ringOf('ES256')
    await done(replaceRings(keyRings)([added(ring)]))
    const won = replaced(ring, 'won')
    await done(replaceRings(keyRings)([inPlaceOf(ring, won)]))
    assert.equal(await refused(replaceRings(keyRings)([inPlaceOf(ring, replaced(ring, 'lost'))])), keyRingChanged)
    assert.equal(plain(await done(keyRings.readKeyRings)), plain([won]))
  })

  it('a ring that is there is not added, and one that is not there is not replaced', async ({ keyRings }) => {
    const ring = ringOf('ES256')
    assert.equal(await refused(replaceRings(keyRings)([inPlaceOf(ring, replaced(ring, 'a'))])), keyRingChanged)
    await done(replaceRings(keyRings)([added(ring)]))
    assert.equal(await refused(replaceRings(keyRings)([added(replaced(ring, 'b'))])), keyRingChanged)
    assert.equal(plain(await done(keyRings.readKeyRings)), plain([ring]))
  })

  it('of several changes all are stored, or none', async ({ keyRings }) => {
    const one = ringOf('ES256')
    const other = ringOf('RS256')
    await done(replaceRings(keyRings)([one, other].map(added)))
    const stale = { ...other, version: other.version + 7 }
    const changes = [inPlaceOf(one, replaced(one, 'a')), inPlaceOf(stale, replaced(stale, 'b'))]
    assert.equal(await refused(replaceRings(keyRings)(changes)), keyRingChanged)
    assert.equal(plain(byName(await done(keyRings.readKeyRings))), plain(byName([one, other])))
  })

  it('a change is stored for less than 5 seconds after the time of its decision, also that of several', async (ports) => {
    const { keyRings, other } = ports
    const rings = [ringOf('ES256'), ringOf('RS256')]
    const at = await done(other.keyRings.readStoreTime)
    for (const late of [secondsAfter(at, -maxStoringTime), exampleTime])
      assert.equal(await refused(keyRings.replaceKeyRings(rings.map(added), late)), keyRingChanged)
    assert.equal(await done(keyRings.readKeyRings), [])
    await done(keyRings.replaceKeyRings(rings.map(added), secondsAfter(at, 2 - maxStoringTime)))
    const changes = rings.map((ring) => inPlaceOf(ring, replaced(ring, 'late')))
    assert.equal(
      await refused(other.keyRings.replaceKeyRings(changes, secondsAfter(at, -maxStoringTime))),
      keyRingChanged,
    )
    assert.equal(plain(byName(await done(keyRings.readKeyRings))), plain(byName(rings)))
  })

  it('of 20 that replace the same version at once, by two handles, one wins', async (ports) => {
    const { keyRings } = ports
    const ring = ringOf('ES256')
    await done(replaceRings(keyRings)([added(ring)]))
    const changes = Array.from({ length: 20 }, (_, index) => inPlaceOf(ring, replaced(ring, `by ${index}`)))
    const outcomes = await race(ports, changes, (handle, change) => replaceRings(handle.keyRings)([change]))
    assert.is(outcomes.filter(E.isRight).length, 1)
    const winner = changes[outcomes.findIndex(E.isRight)]
    assert.equal(plain(await done(keyRings.readKeyRings)), plain([winner?.next]))
  })

  return tests
}
