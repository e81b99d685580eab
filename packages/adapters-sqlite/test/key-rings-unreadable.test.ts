// Changes to the sealed rings by a writer of the file without the key: they are detected, and affect nothing else.
import type Database from 'better-sqlite3'
import { unreadableKeyRing } from '@clientele/domain/ports'
import { done, replaceRings, exampleKeyRing, refused } from '@clientele/testing'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { beside } from './support/beside.js'
import { sealerWith } from './support/encryption.js'
import { inFolder, opened } from './support/temporary-store.js'

const unreadable = suite('key rings that cannot be read')

const stored = [exampleKeyRing('ES256'), exampleKeyRing('RS256'), exampleKeyRing('RSA-OAEP-256', 'enc')]

const everyRow = (file: string) => beside(file, (db) => db.prepare('SELECT * FROM key_rings ORDER BY alg').all())

const sealer = sealerWith('the right key')
const context = 'key ring ES256 sig, version 1'
const sealedJson = (text: string, sealedFor = context) => sealer.seal(text, sealedFor)
const resealed = (changes: object) => sealedJson(JSON.stringify({ ...stored[0], ...changes }))

const set = 'UPDATE key_rings SET sealed = ? WHERE alg = ?'
const flipped = (sealed: string, at: number): string => {
  const bytes = Buffer.from(sealed, 'base64url')
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  return bytes.toString('base64url')
}
const sealedOf = (db: Database.Database, alg: string): string =>
  String(db.prepare('SELECT sealed FROM key_rings WHERE alg = ?').pluck().get(alg))
const withSealed = (text: string) => (db: Database.Database) => void db.prepare(set).run(text, 'ES256')
const withFlipped = (at: number) => (db: Database.Database) =>
  void db.prepare(set).run(flipped(sealedOf(db, 'ES256'), at), 'ES256')

const tampering: Readonly<Record<string, (db: Database.Database) => void>> = {
  'the sealed values of two rings change places': (db) => {
    const one = sealedOf(db, 'ES256')
    const other = sealedOf(db, 'RS256')
    db.prepare(set).run(other, 'ES256')
    db.prepare(set).run(one, 'RS256')
  },
  'a version is altered': (db) => void db.exec("UPDATE key_rings SET version = 2 WHERE alg = 'ES256'"),
  'a ring gets another use': (db) => void db.exec("UPDATE key_rings SET use = 'enc' WHERE alg = 'ES256'"),
  'the nonce has a flipped bit': withFlipped(0),
  'the tag has a flipped bit': withFlipped(12),
  'the text has a flipped bit': withFlipped(100),
  'nothing is left of it': withSealed(''),
  'it is sealed with another key': withSealed(sealerWith('another key').seal(JSON.stringify(stored[0]), context)),
  'it is sealed for something else': withSealed(sealedJson(JSON.stringify(stored[0]), 'digest-key')),
  'it holds no JSON': withSealed(sealedJson('{"alg":"ES256"')),
  'it holds JSON that is no ring': withSealed(sealedJson('{"alg":"ES256","use":"sig","version":1}')),
  'it holds no object': withSealed(sealedJson('null')),
  'it holds a ring of another algorithm': withSealed(resealed({ alg: 'ES384' })),
  'it holds a ring of another use': withSealed(resealed({ use: 'enc' })),
  'it holds a ring of another version': withSealed(resealed({ version: 2 })),
  'it holds a ring without a key that signs': withSealed(resealed({ current: undefined })),
}

unreadable(
  'a ring that is sealed anew for its very place is read: what follows is refused for no other reason',
  inFolder(async (file) => {
    const store = await opened(file)
    await done(replaceRings(store.keyRings)(stored.map((next) => ({ next, replacing: O.none }))))
    beside(file, withSealed(resealed({ forgotten: ['changed'] })))
    const [es256] = await done(store.keyRings.readKeyRings)
    assert.equal(es256?.forgotten, ['changed'])
    await store.close()
  }),
)

for (const [what, tamper] of Object.entries(tampering))
  unreadable(
    `when ${what} the rings cannot be read, and nothing is changed`,
    inFolder(async (file) => {
      const store = await opened(file)
      await done(replaceRings(store.keyRings)(stored.map((next) => ({ next, replacing: O.none }))))
      beside(file, tamper)
      const before = everyRow(file)
      const refusal = await refused(store.keyRings.readKeyRings)
      assert.ok(refusal.error === 'unreadable_key_ring')
      assert.ok(what.includes('places') ? ['ES256', 'RS256'].includes(refusal.alg) : refusal.alg === 'ES256')
      assert.equal(everyRow(file), before)
      await store.close()
      const again = await opened(file)
      assert.equal(await refused(again.keyRings.readKeyRings), unreadableKeyRing(refusal.alg))
      await again.close()
      assert.equal(everyRow(file), before)
    }),
  )

unreadable.run()
