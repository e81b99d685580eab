import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'

/** Blocks reads and writes of the tables for these milliseconds. */
export const lockTables = async (url: string, tables: ReadonlyArray<string>, milliseconds: number): Promise<void> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('BEGIN')
  await client.query(`LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE`)
  await setTimeout(milliseconds)
  await client.query('COMMIT')
  await client.end()
}
