// A change of key rings whose COMMIT comes too late for the verifiers.
import { secondsAfter } from '@clientele/domain/kernel'
import { keyRingChanged } from '@clientele/domain/ports'
import { done, exampleKeyRing, refused, noRow } from '@clientele/testing'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { query } from './support/query.js'
import { newStore, opened } from './support/temporary-store.js'

const tests = postgresqlSuite('key rings on PostgreSQL')

const ring = exampleKeyRing()

/** A commit of rings takes so many seconds, before all else. */
const slowCommits = async (url: string, seconds: number): Promise<void> => {
  await query(
    url,
    `CREATE FUNCTION rest() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(${seconds}); RETURN NULL; END'`,
  )
  await query(
    url,
    `CREATE CONSTRAINT TRIGGER a_rest AFTER INSERT ON key_rings
     DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION rest()`,
  )
}

tests('a change that was in time, and whose COMMIT is too late, is refused as a late one', async (server) => {
  const url = await newStore(server)
  await slowCommits(url, 2.5)
  const { keyRings, close } = await opened(url)
  const change = [{ next: ring, replacing: O.none }]
  const at = await done(keyRings.readStoreTime)
  assert.equal(await refused(keyRings.replaceKeyRings(change, secondsAfter(at, -3), noRow)), keyRingChanged)
  assert.equal(await done(keyRings.readKeyRings), [])
  await done(keyRings.replaceKeyRings(change, await done(keyRings.readStoreTime), noRow))
  assert.is((await done(keyRings.readKeyRings)).length, 1)
  await close()
})

tests.run()
