import { Client } from 'pg'

/** The rows of one statement, on a connection of its own. */
export const query = async (
  url: string,
  text: string,
  values: ReadonlyArray<unknown> = [],
): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> => {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 30_000 })
  // An error without a listener would end the process; the statement that waits fails anyway.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(text, [...values])
    return rows
  } finally {
    await client.end()
  }
}
