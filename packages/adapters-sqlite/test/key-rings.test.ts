import { storeOn } from '@clientele/adapters-sql'
import Database from 'better-sqlite3'
import type { KeyRing } from '@clientele/domain/keys'
import { type KeyRings, keyRingChanged } from '@clientele/domain/ports'
import { done, replaceRings, exampleKeyRing, refused } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { beside } from './support/beside.js'
import { openedLayers } from './support/opened-layers.js'
import { encryptionWith } from './support/encryption.js'
import { inFolder, opened, refusalOf } from './support/temporary-store.js'

const rings = suite('key rings in SQLite')

const stored = [exampleKeyRing('ES256'), exampleKeyRing('RS256'), exampleKeyRing('RSA-OAEP-256', 'enc')]
const added = (next: KeyRing) => ({ next, replacing: O.none })
const next = (ring: KeyRing, kid: string): KeyRing => ({ ...ring, version: ring.version + 1, forgotten: [kid] })
const replacement = (ring: KeyRing, kid: string) => ({ next: next(ring, kid), replacing: O.some(ring) })

// An undefined member may also be left out.
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const read = async (keyRings: KeyRings) => plain(await done(keyRings.readKeyRings))

const assertSecret = (file: string): void => {
  const bytes = readFileSync(file)
  for (const { current } of stored)
    for (const offset of [0, 1, 2])
      for (const encoding of ['utf8', 'base64', 'base64url', 'hex'] as const) {
        // The base64 text of a part depends on its offset in the whole, except at its ends.
        const text = Buffer.from(current.key.privateKey).subarray(offset).toString(encoding).slice(0, -3)
        assert.not.ok(bytes.includes(text), `${text} in ${file}`)
      }
  assert.not.ok(bytes.includes('privateKey') || bytes.includes('private half'), file)
}

rings(
  'no private half is in the database, its log or a backup, in clear or encoded, nor is a public one',
  inFolder(async (file, folder) => {
    const store = await opened(file)
    await done(replaceRings(store.keyRings)(stored.map(added)))
    await done(replaceRings(store.keyRings)(stored.map((ring) => replacement(ring, 'gone'))))
    const reader = new Database(file, { readonly: true })
    await reader.backup(`${folder}/backup.db`)
    reader.close()
    assert.ok(readFileSync(`${file}-wal`).includes('RSA-OAEP-256'), 'the log holds the rings')
    for (const each of [file, `${file}-wal`, `${folder}/backup.db`]) assertSecret(each)
    await store.close()
    assert.ok(readFileSync(file).includes('RSA-OAEP-256'), 'the file holds the rings')
    assertSecret(file)
    assert.not.ok(readFileSync(file).includes('ES256_sig'), 'the name of a key is sealed with it')
  }),
)

rings(
  'rings are what they were after the store was closed and opened again, and are replaced as before',
  inFolder(async (file) => {
    const first = await opened(file)
    await done(replaceRings(first.keyRings)(stored.map(added)))
    const before = await read(first.keyRings)
    await first.close()
    const store = await opened(file, { expectExisting: true })
    assert.equal(await read(store.keyRings), before)
    const [es256 = exampleKeyRing('ES256')] = await done(store.keyRings.readKeyRings)
    await done(replaceRings(store.keyRings)([replacement(es256, 'later')]))
    assert.equal(await refused(replaceRings(store.keyRings)([replacement(es256, 'too late')])), keyRingChanged)
    await store.close()
  }),
)

rings(
  'another encryption key is refused when the store is opened, and with the right one the rings are there',
  inFolder(async (file) => {
    const first = await opened(file)
    await done(replaceRings(first.keyRings)(stored.map(added)))
    const before = await read(first.keyRings)
    await first.close()
    assert.is((await refusalOf(file, { encryption: encryptionWith('another key') })).refusal, 'wrong-encryption-key')
    const store = await opened(file)
    assert.equal(await read(store.keyRings), before)
    await store.close()
  }),
)

rings(
  'of two connections that replace the same version one wins, in every round',
  inFolder(async (file) => {
    const layers = [await openedLayers(file), await openedLayers(file)]
    const ports = layers.map((layer) => storeOn(layer, encryptionWith('the right key'), '').keyRings)
    const [one] = ports
    let present = exampleKeyRing('ES256')
    const firsts = await Promise.all(ports.map((each) => replaceRings(each)([added(present)])()))
    assert.is(firsts.filter(E.isRight).length, 1)
    for (let round = 0; round < 20; round += 1) {
      const changes = ports.map((_, index) => replacement(present, `round ${round} by ${index}`))
      const outcomes = await Promise.all(
        ports.map((each, index) => replaceRings(each)(changes.slice(index, index + 1))()),
      )
      assert.equal(outcomes.filter(E.isLeft), [E.left(keyRingChanged)])
      present = changes[outcomes.findIndex(E.isRight)]?.next ?? present
      for (const each of ports) assert.equal(await read(each), plain([present]))
    }
    assert.ok(one !== undefined && layers.every(({ fatal }) => fatal.length === 0))
    for (const { db } of layers) db.close()
  }),
)

rings(
  'when the store cannot write one of several rings, none is changed',
  inFolder(async (file) => {
    const store = await opened(file)
    await done(replaceRings(store.keyRings)(stored.map(added)))
    const before = await read(store.keyRings)
    beside(file, (db) =>
      db.exec(
        "CREATE TRIGGER no BEFORE UPDATE ON key_rings WHEN NEW.alg = 'RS256' BEGIN SELECT RAISE(FAIL, 'no'); END",
      ),
    )
    const refusal = await refused(replaceRings(store.keyRings)(stored.map((ring) => replacement(ring, 'lost'))))
    assert.is(refusal.error, 'unavailable')
    assert.equal(await read(store.keyRings), before)
    await store.close()
  }),
)

rings.run()
