import { randomBytes } from 'node:crypto'
import { query } from './query.js'
import { type Server } from './server.js'

/** Creates a database, empty or like another one, which is removed with the server: its URL. */
export const newDatabase = async (server: Server, template = 'template0'): Promise<string> => {
  const name = `${server.prefix}_${randomBytes(6).toString('hex')}`
  await query(server.url(), `CREATE DATABASE ${name} TEMPLATE ${template}`)
  return server.url(name)
}
