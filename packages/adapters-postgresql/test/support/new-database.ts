import { randomBytes } from 'node:crypto'
import { query } from './query.js'
import { type Server } from './server.js'

/** Creates a database, empty or like another one, which is removed with the server: its URL. */
export const newDatabase = async (server: Server, template = 'template0'): Promise<string> => {
  const name = `${server.prefix}_${randomBytes(6).toString('hex')}`
  await query(server.url(), `CREATE DATABASE ${name} TEMPLATE ${template}`)
  return server.url(name)
}

/** A setting of all sessions on the database that choose none. */
export const setDefault = async (url: string, setting: string, value: string): Promise<void> => {
  const database = new URL(url).pathname.slice(1)
  await query(url, `ALTER DATABASE ${database} SET ${setting} = '${value}'`)
}

/** The isolation of all transactions on the database that choose none. */
export const setDefaultIsolation = (url: string, isolation: string): Promise<void> =>
  setDefault(url, 'default_transaction_isolation', isolation)
