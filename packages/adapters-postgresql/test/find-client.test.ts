// A client is found by the index of tokens, which has the beginnings of their digests alone.
import { TokenHash } from '@clientele/domain/authorization'
import { done, exampleClient, exampleHash, addition } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { query } from './support/query.js'
import { rowsRead } from './support/rows-read.js'
import { newStore, opened } from './support/temporary-store.js'

const tests = postgresqlSuite('finding a client on PostgreSQL')

const many = 60_000
const lookUps = 20

/** Copies of the first client, with other digests of 43 characters. */
const copies = `
INSERT INTO clients (client_id, registration_id, version, client_id_issued_at, registration_access_token_hash, registered_by,
  privileges, metadata, credentials, imported, unused_open)
SELECT client_id || n, registration_id || n, version, client_id_issued_at, rpad(md5(n::text), 43, '_'), registered_by,
  privileges, metadata, credentials, imported, unused_open FROM clients, generate_series(1, ${many}) AS numbers (n)`

const hashOf = (text: string): TokenHash => {
  const hash = TokenHash.decode(text.padEnd(43, '_'))
  if (E.isLeft(hash)) throw new Error('no digest')
  return hash.right
}

for (const [what, after] of [
  ['what its tables have', 'ANALYZE'],
  ['nothing of its tables', 'SELECT 1'],
] as const)
  tests(`reads few of many clients for a token, where the planner knows ${what}`, async (server) => {
    const url = await newStore(server)
    const store = await opened(url)
    const first = exampleClient('first')
    await done(store.registry.addClient(addition(first)))
    await store.close()
    await query(url, `ALTER TABLE clients SET (autovacuum_enabled = off); ${copies}; ${after}`)
    const before = await rowsRead(url)
    const reading = await opened(url)
    const { client_id, registration_access_token } = first
    // So often that the database plans the prepared statements without their values.
    for (let nth = 0; nth < lookUps; nth += 1) {
      const found = await done(reading.registry.findClientByToken(client_id, registration_access_token.hash))
      assert.is(O.isSome(found) && found.value.client_id, client_id)
      assert.equal(await done(reading.registry.findClientByToken(client_id, exampleHash('unknown'))), O.none)
      assert.is(
        await done(reading.registry.isRegistrationAccessToken(hashOf('c4ca4238a0b923820dcc509a6f75849b'))),
        true,
      )
    }
    // Its connections tell what they read when they end.
    await reading.close()
    const { clients } = await rowsRead(url)
    const read = (clients - before.clients) / lookUps
    assert.ok(read > 0 && read < 100, `${read} rows for three look-ups`)
  })

tests.run()
