import { randomBytes } from 'node:crypto'
import { query } from './query.js'
import { type Server } from './server.js'

/** A server that others run; its new databases are removed at the end. */
export const givenServer = (given: string): Server => {
  const prefix = `clientele_test_${randomBytes(4).toString('hex')}`
  const url = (database?: string): string =>
    database === undefined ? given : Object.assign(new URL(given), { pathname: `/${database}` }).href
  const close = async (): Promise<void> => {
    const created = await query(given, 'SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [prefix])
    for (const { datname } of created) await query(given, `DROP DATABASE ${String(datname)} WITH (FORCE)`)
  }
  return { url, prefix, close }
}
