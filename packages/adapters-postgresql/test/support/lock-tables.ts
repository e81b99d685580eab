import { setTimeout } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'

const isDeadlock = (error: unknown): boolean => error instanceof DatabaseError && error.code === '40P01'

/** Statements of the service take the tables in either order, so that this may be the one that a deadlock ends. */
const lock = async (client: Client, tables: ReadonlyArray<string>): Promise<void> => {
  for (;;) {
    await client.query('BEGIN')
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0')
    try {
      await client.query(`LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE`)
      return
    } catch (error) {
      if (!isDeadlock(error)) throw error
      await client.query('ROLLBACK')
    }
  }
}

/** Blocks reads and writes of the tables for these milliseconds. */
export const lockTables = async (url: string, tables: ReadonlyArray<string>, milliseconds: number): Promise<void> => {
  const client = new Client({ connectionString: url })
  // An error without a listener would end the process; the statement that waits fails anyway.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await lock(client, tables)
    await setTimeout(milliseconds)
    await client.query('COMMIT')
  } finally {
    await client.end()
  }
}
