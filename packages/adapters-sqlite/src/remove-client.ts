import {
  type ClientId,
  type ClientRegistry,
  type RegisteredClient,
  RegistrationId,
  clientChanged,
  clientSuspended,
  unknownClient,
} from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { createBuryClient } from './bury-client.js'
import { createWriteAudit } from './write-audit.js'
import { createTokenIndex } from './token-index.js'
import type { WriteQueue } from './write-queue.js'

const selectById = `
SELECT ordinal, registration_id, version, suspended_at, preceding_token_hash FROM clients WHERE client_id = ?`

/** The columns that are read of the removed client; other columns may be unreadable. */
const Registered = t.type({
  ordinal: t.number,
  registration_id: RegistrationId,
  version: t.number,
  suspended_at: t.union([t.number, t.null]),
  preceding_token_hash: t.union([t.string, t.null]),
})

type Registered = t.TypeOf<typeof Registered>

const isRead = (found: Registered, read: RegisteredClient): boolean =>
  found.registration_id === read.registration_id &&
  found.version === read.version &&
  (read.preceding_token === undefined || found.preceding_token_hash === read.preceding_token.hash)

export const createRemoveClient = (db: Database.Database, queue: WriteQueue): ClientRegistry['removeClient'] => {
  const byId = db.prepare<[ClientId]>(selectById)
  const { rowOf } = createTokenIndex(db)
  const bury = createBuryClient(db)
  const audit = createWriteAudit(db)
  return (client_id, token, tombstone, noted, read) =>
    queue.write(() => {
      const found = O.isSome(token) ? rowOf(client_id, token.value) : byId.get(client_id)
      if (!Registered.is(found)) return E.left(unknownClient)
      if (O.isSome(token) && found.suspended_at !== null) return E.left(clientSuspended)
      if (read !== undefined && !isRead(found, read)) return E.left(clientChanged)
      const { ordinal, registration_id } = found
      bury({ ordinal, client_id, registration_id }, tombstone)
      audit.write(noted)
      return E.right(undefined)
    })
}
