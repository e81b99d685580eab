import { type ClientId, type ClientRegistry, unknownClient } from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { createRecordEvent } from './provider-events.js'
import { createTokenIndex } from './token-index.js'
import type { WriteQueue } from './write-queue.js'

const selectById = 'SELECT ordinal, registration_id FROM clients WHERE client_id = ?'
const deleteClient = 'DELETE FROM clients WHERE ordinal = ?'

/** The columns that are read of the removed client; other columns may be unreadable. */
const Registered = t.type({ ordinal: t.number, registration_id: t.string })

export const createRemoveClient = (db: Database.Database, queue: WriteQueue): ClientRegistry['removeClient'] => {
  const byId = db.prepare<[ClientId]>(selectById)
  const { rowOf } = createTokenIndex(db)
  const remove = db.prepare(deleteClient)
  const recordEvent = createRecordEvent(db)
  return (client_id, token) =>
    queue.write(() => {
      const found = O.isSome(token) ? rowOf(client_id, token.value) : byId.get(client_id)
      if (!Registered.is(found)) return E.left(unknownClient)
      remove.run(found.ordinal)
      recordEvent({ event: 'client_deleted', client_id, registration_id: found.registration_id })
      return E.right(undefined)
    })
}
