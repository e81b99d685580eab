// The clients of a session, by ordinal: used in the transaction that adds or replaces the session.
import type { EndUserSession } from '@clientele/domain'
import type Database from 'better-sqlite3'
import { createRegisteredOrdinal } from './registered-ordinal.js'
import { createUseClient } from './use-client.js'

const insertClient = 'INSERT INTO session_clients (session, place, client, sub, sid) VALUES (?, ?, ?, ?, ?)'
const deleteClients = 'DELETE FROM session_clients WHERE session = ?'

export type SessionClients = {
  /** Clients of which the registration has ended are left out; the others count as used. */
  readonly insert: (session: unknown, joined: Pick<EndUserSession, 'clients' | 'used_at'>) => void
  readonly remove: (session: unknown) => void
}

export const createSessionClients = (db: Database.Database): SessionClients => {
  const ordinalOf = createRegisteredOrdinal(db)
  const insert = db.prepare(insertClient)
  const remove = db.prepare(deleteClients)
  const use = createUseClient(db)
  return {
    insert: (session, { clients, used_at }) => {
      for (const [place, client] of clients.entries()) {
        const ordinal = ordinalOf(client)
        if (ordinal === undefined) continue
        insert.run(session, place, ordinal, client.sub, client.sid)
        use(ordinal, used_at)
      }
    },
    remove: (session) => void remove.run(session),
  }
}
