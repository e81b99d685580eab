// Databases of before the first release: once converted, they are read as they were.
import * as assert from 'uvu/assert'
import {
  everyValue,
  expectReading,
  goldenReading,
  goldenText,
  lackingIn,
  neverWritten,
} from '../../adapters-sql/test/golden/golden.js'
import { convert } from '../../adapters-sql/test/golden/convert.js'
import { columnsOf, readGolden } from './support/golden-database.js'
import { newDatabase } from './support/new-database.js'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { query } from './support/query.js'
import { refusalOf } from './support/temporary-store.js'

const golden = postgresqlSuite('golden rows on PostgreSQL')

golden(
  'a database of an earlier version has rows of each shape, is refused, and is read as it was once it is converted',
  async (server) => {
    const url = await newDatabase(server)
    await query(url, goldenText('postgresql.sql'))
    assert.equal(lackingIn(await columnsOf(url)), neverWritten)
    for (const [table, column, values] of everyValue) {
      const found = await query(url, `SELECT DISTINCT ${column} AS value FROM ${table} ORDER BY 1`)
      assert.equal(
        found.map(({ value }) => value),
        [...values].sort(),
        `${table}.${column}`,
      )
    }
    const { refusal, message } = await refusalOf(url)
    assert.is(refusal, 'earlier-schema')
    assert.match(message, 'node packages/app/convert-database.mjs')
    convert(url)
    expectReading(await readGolden(url), { ...goldenReading('reading.json'), ...goldenReading('postgresql.json') })
  },
)

golden.run()
