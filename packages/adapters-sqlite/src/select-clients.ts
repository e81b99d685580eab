import type { ReadTogether } from './read-together.js'
import type { SelectClients, SelectPage } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import { selectRows } from './select-rows.js'
import { createTokenIndex } from './token-index.js'

const selectById = 'SELECT * FROM clients WHERE client_id = ?'
const selectByIds = 'SELECT * FROM clients WHERE client_id IN (SELECT value FROM json_each(?))'

// Other operations wait for one page at most: some milliseconds.
const pageSize = 20
const selectPage = `SELECT * FROM clients WHERE ordinal > ? ORDER BY ordinal LIMIT ${pageSize}`

export const createSelectClients = (db: Database.Database, read: ReadTogether): SelectClients => {
  const byId = selectRows(db, selectById)
  const byIds = selectRows(db, selectByIds)
  const { rowOf, rowPreceded, isToken } = createTokenIndex(db)
  return {
    byId: (id) => read(() => byId.get(id)),
    byIds: (ids) => read(() => byIds.all(JSON.stringify(ids))),
    byToken: (id, token) => read(() => rowOf(id, token) ?? rowPreceded(id, token)),
    isToken: (token) => read(() => isToken(token)),
  }
}

/** A page waits for the next turn of the event loop, so that a long list does not block other operations. */
export const createSelectPage = (db: Database.Database, read: ReadTogether): SelectPage => {
  const page = selectRows(db, selectPage)
  return { size: pageSize, after: (ordinal) => read(() => page.all(ordinal)) }
}
