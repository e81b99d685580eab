// The clients of a session, by ordinal: used in the transaction that replaces or ends the session.
import type { ClientId, EndUserSession, SessionClient } from '@clientele/domain'
import type Database from 'better-sqlite3'
import { createUseClient } from './use-client.js'

const selectClient = 'SELECT ordinal FROM clients WHERE client_id = ?'
const selectStanding = `
SELECT client_id, client FROM session_clients JOIN clients ON clients.ordinal = client WHERE session = ?`
const insertClient = 'INSERT INTO session_clients (session, place, client, sub, sid) VALUES (?, ?, ?, ?, ?)'
const deleteClients = 'DELETE FROM session_clients WHERE session = ?'

/** The ordinal of a client; undefined when it is no longer registered. */
export type OrdinalOf = (id: ClientId) => unknown

export type SessionClients = {
  /**
   * The ordinals for a session as it was read. An id may be registered again: a client that was read with the session
   * keeps its ordinal, and a later client of the same id does not replace it.
   */
  readonly ordinalsFor: (session: unknown, read: EndUserSession) => OrdinalOf
  /** Clients that are no longer registered are left out; the others count as used. */
  readonly insert: (session: unknown, clients: ReadonlyArray<SessionClient>, ordinalOf?: OrdinalOf) => void
  readonly remove: (session: unknown) => void
}

export const createSessionClients = (db: Database.Database): SessionClients => {
  const standing = db.prepare<[unknown], [string, number]>(selectStanding).raw()
  const registered = db.prepare(selectClient).pluck()
  const insert = db.prepare(insertClient)
  const remove = db.prepare(deleteClients)
  const use = createUseClient(db)
  const registeredOrdinal: OrdinalOf = (id) => registered.get(id)
  return {
    ordinalsFor: (session, { clients }) => {
      const [known, ordinals] = [new Set(clients.map(({ client_id }) => client_id)), new Map(standing.all(session))]
      return (id) => (known.has(id) ? ordinals.get(id) : registeredOrdinal(id))
    },
    insert: (session, clients, ordinalOf = registeredOrdinal) => {
      for (const [place, { client_id, sub, sid }] of clients.entries()) {
        const ordinal = ordinalOf(client_id)
        if (ordinal === undefined) continue
        insert.run(session, place, ordinal, sub, sid)
        use(ordinal)
      }
    },
    remove: (session) => void remove.run(session),
  }
}
