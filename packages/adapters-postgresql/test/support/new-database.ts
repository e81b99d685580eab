import { randomBytes } from 'node:crypto'
import { query } from './query.js'
import { type Server } from './server.js'

/** Creates an empty database, which is removed with the server: its URL. */
export const newDatabase = async (server: Server): Promise<string> => {
  const name = `${server.prefix}_${randomBytes(6).toString('hex')}`
  await query(server.url(), `CREATE DATABASE ${name} TEMPLATE template0`)
  return server.url(name)
}
