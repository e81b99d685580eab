// Key rings, which are replaced in the version that was read and soon after the decision, and the keys of other signers.
import { EpochSeconds, secondsAfter } from '@clientele/domain/kernel'
import { type KeyRing, maxForeignKeys, maxStoringTime } from '@clientele/domain/keys'
import { type KeyRingChange, type StoragePorts, keyRingChanged } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { namedKey } from '../arbitraries/key-history.js'
import { exampleForeignKey, exampleKeyRing, exampleTime, unstorableTexts, noRow } from '../examples.js'
import { contract, contracts, done, numbers, race, refused } from './contract.js'
import { replaceRings } from './steps.js'

const replaced = (ring: KeyRing, kid: string): KeyRing => ({
  ...ring,
  version: ring.version + 1,
  forgotten: [...ring.forgotten, kid],
})
const added = (next: KeyRing): KeyRingChange => ({ next, replacing: O.none })
const inPlaceOf = (ring: KeyRing, next: KeyRing): KeyRingChange => ({ next, replacing: O.some(ring) })

const store = ({ keyRings }: StoragePorts, ...changes: ReadonlyArray<KeyRingChange>) => replaceRings(keyRings)(changes)

const nameOf = ({ alg, use, version }: Pick<KeyRing, 'alg' | 'version'> & { readonly use: string }): string =>
  `${alg} ${use} ${version}`

/** All rings are these, by either handle, and so are their versions. An undefined member may also be left out. */
const assertRings = async (ports: StoragePorts & { other: StoragePorts }, ...rings: ReadonlyArray<KeyRing>) => {
  const plain = (some: ReadonlyArray<KeyRing>): unknown =>
    JSON.parse(JSON.stringify([...some].sort((one, other) => nameOf(one).localeCompare(nameOf(other)))))
  for (const { keyRings } of [ports, ports.other]) {
    assert.equal(plain(await done(keyRings.readKeyRings)), plain(rings))
    const versions = await done(keyRings.readKeyRingVersions)
    assert.equal(versions.map(nameOf).sort(), rings.map(nameOf).sort())
  }
}

const es256 = exampleKeyRing('ES256')
const rs256 = exampleKeyRing('RS256')

const rings = contract('Key rings', (it) => {
  it('those that are stored are read as they are, every part of them, and their versions after every change', async (ports) => {
    await assertRings(ports)
    const key = { ...namedKey('other'), publishedAt: exampleTime }
    const whole: KeyRing = {
      ...exampleKeyRing('EdDSA'),
      announced: { key, signsFrom: exampleTime },
      retired: [{ key, since: exampleTime, forgottenAt: exampleTime }],
      opensAt: exampleTime,
      closedAt: exampleTime,
      forgotten: ['gone', '\u0000"ü'],
    }
    const encrypting = exampleKeyRing('RS256', 'enc')
    await done(store(ports, ...[whole, rs256, encrypting].map(added)))
    await assertRings(ports, whole, rs256, encrypting)
    await done(store(ports.other, inPlaceOf(rs256, replaced(rs256, 'gone'))))
    await assertRings(ports, whole, replaced(rs256, 'gone'), encrypting)
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

  it('a change is stored for less than 5 seconds after the time of its decision, also that of several', async (ports) => {
    const { keyRings, other } = ports
    const at = await done(other.keyRings.readStoreTime)
    const tooLate = secondsAfter(at, -maxStoringTime)
    for (const late of [tooLate, exampleTime])
      assert.equal(await refused(keyRings.replaceKeyRings([es256, rs256].map(added), late, noRow)), keyRingChanged)
    await assertRings(ports)
    await done(keyRings.replaceKeyRings([es256, rs256].map(added), secondsAfter(at, 2 - maxStoringTime), noRow))
    const changes = [es256, rs256].map((ring) => inPlaceOf(ring, replaced(ring, 'late')))
    assert.equal(await refused(other.keyRings.replaceKeyRings(changes, tooLate, noRow)), keyRingChanged)
    await assertRings(ports, es256, rs256)
  })
})

const foreignKeys = contract('Keys of other signers', (it) => {
  it('keys are read the oldest first, also one that was removed and added again', async ({ foreignKeys, other }) => {
    await done(foreignKeys.addForeignKeys([exampleForeignKey('b'), exampleForeignKey('a')], [], noRow))
    await done(foreignKeys.addForeignKeys([exampleForeignKey('0')], [], noRow))
    await done(foreignKeys.addForeignKeys([], [], noRow))
    assert.equal(await done(other.foreignKeys.readForeignKeys), [
      exampleForeignKey('b'),
      exampleForeignKey('a'),
      exampleForeignKey('0'),
    ])
    assert.is(await done(foreignKeys.removeForeignKey('b', noRow)), true)
    for (const kid of ['A', ...unstorableTexts]) assert.is(await done(foreignKeys.removeForeignKey(kid, noRow)), false)
    await done(foreignKeys.addForeignKeys([exampleForeignKey('b')], [], noRow))
    assert.equal(await done(other.foreignKeys.readForeignKeys), [
      exampleForeignKey('a'),
      exampleForeignKey('0'),
      exampleForeignKey('b'),
    ])
  })

  it('keys of which one is stored already, or comes twice, are refused, and none of them is stored', async (ports) => {
    await done(ports.foreignKeys.addForeignKeys([exampleForeignKey('a')], [], noRow))
    const { addForeignKeys } = ports.other.foreignKeys
    const known = [exampleForeignKey('b'), exampleForeignKey('a')]
    assert.equal(await refused(addForeignKeys(known, [], noRow)), keyRingChanged)
    const twice = [exampleForeignKey('c'), exampleForeignKey('c')]
    assert.is((await refused(addForeignKeys(twice, [], noRow))).error, 'unavailable')
    assert.equal(await done(ports.foreignKeys.readForeignKeys), [exampleForeignKey('a')])
  })

  it('of keys that are added at once, those are stored that the set has room for, and each kid once', async (ports) => {
    const add = (handle: StoragePorts, ...kids: ReadonlyArray<string>) =>
      handle.foreignKeys.addForeignKeys(kids.map(exampleForeignKey), [], noRow)
    const same = await race(ports, ['same', 'same', 'same'], add)
    assert.equal(same.filter(E.isLeft), [E.left(keyRingChanged), E.left(keyRingChanged)])
    await done(add(ports, ...numbers(maxForeignKeys - 3).map((nth) => `${nth}`)))
    const outcomes = await race(ports, ['a', 'b', 'c', 'd'], add)
    assert.equal(outcomes.filter(E.isLeft), [E.left(keyRingChanged), E.left(keyRingChanged)])
    assert.is((await done(ports.foreignKeys.readForeignKeys)).length, maxForeignKeys)
  })
})

const between = contract('Key rings beside keys of other signers', (it) => {
  const theirs = exampleForeignKey('ES256 sig')

  it('a ring with a kid of another signer is refused, and so are the changes beside it', async (ports) => {
    await done(ports.foreignKeys.addForeignKeys([theirs], [], noRow))
    assert.equal(await refused(store(ports.other, ...[rs256, es256].map(added))), keyRingChanged)
    await assertRings(ports)
    assert.is(await done(ports.foreignKeys.removeForeignKey(theirs.kid, noRow)), true)
    await done(store(ports.other, added(es256)))
  })

  it('keys of another signer are refused where the rings have changed since they were read', async (ports) => {
    await done(store(ports, ...[es256, rs256].map(added)))
    const next = replaced(rs256, 'gone')
    await done(store(ports, inPlaceOf(rs256, next)))
    for (const read of [[], [es256], [es256, rs256], [es256, next, exampleKeyRing('EdDSA')]]) {
      const keys = [exampleForeignKey('theirs')]
      assert.equal(await refused(ports.other.foreignKeys.addForeignKeys(keys, read, noRow)), keyRingChanged)
    }
    assert.equal(await done(ports.foreignKeys.readForeignKeys), [])
    await done(ports.other.foreignKeys.addForeignKeys([exampleForeignKey('theirs')], [next, es256], noRow))
  })

  it('of a ring and a key of another signer with one kid, added at once, one is stored', async (ports) => {
    let rings: ReadonlyArray<KeyRing> = []
    for (const nth of numbers(8)) {
      const ring = exampleKeyRing(`alg-${nth}`)
      const outcomes = await race<string, unknown, unknown>(ports, ['ring', 'foreign'], (handle, kind) =>
        kind === 'ring'
          ? store(handle, added(ring))
          : handle.foreignKeys.addForeignKeys([exampleForeignKey(ring.current.key.kid)], rings, noRow),
      )
      assert.equal(outcomes.filter(E.isRight).length, 1)
      rings = await done(ports.keyRings.readKeyRings)
    }
  })
})

/** The promises of KeyRings and ForeignKeys. */
export const keysContract = contracts(rings, foreignKeys, between)
