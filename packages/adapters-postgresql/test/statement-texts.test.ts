// The texts of statements that are sent before their transaction has begun.
import { insertion } from '@clientele/adapters-sql'
import { Client } from 'pg'
import * as assert from 'uvu/assert'
import { textsOf } from '../src/loader.js'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { query } from './support/query.js'
import { newStore } from './support/temporary-store.js'

const tests = postgresqlSuite('the texts of statements on PostgreSQL')

const secret = { name: 'text', sealed: 'text' } as const

for (const onConflict of ['', 'ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed'])
  tests(`an insertion inserts nothing outside of a transaction with a receipt: ${onConflict}`, async (server) => {
    const url = await newStore(server)
    const { single, together, isEarly } = textsOf(insertion('secrets', secret, ['name'], onConflict))
    assert.ok(isEarly)
    const client = new Client({ connectionString: url })
    await client.connect()
    const insertBoth = async (): Promise<ReadonlyArray<number | null>> => [
      (await client.query(single.text, ['one', 'a'])).rowCount,
      (
        await client.query(together?.text ?? '', [
          ['two', 'three'],
          ['b', 'c'],
        ])
      ).rowCount,
    ]
    try {
      assert.equal(await insertBoth(), [0, 0])
      await client.query("BEGIN; INSERT INTO receipts (id) VALUES ('00000000-0000-0000-0000-000000000000')")
      assert.equal(await insertBoth(), [1, 2])
      await client.query('ROLLBACK')
    } finally {
      await client.end()
    }
    assert.equal(await query(url, "SELECT name FROM secrets WHERE name IN ('one', 'two', 'three')"), [])
  })

tests.run()
