import type { SessionClient } from '@clientele/domain'
import type { Query } from './database.js'
import { ordinalOf, useClients } from './registered-clients.js'

const insertClient = {
  name: 'insert_session_client',
  text: 'INSERT INTO session_clients (session, place, client, sub, sid) VALUES ($1, $2, $3, $4, $5)',
}
const deleteClients = { name: 'delete_session_clients', text: 'DELETE FROM session_clients WHERE session = $1' }

/** Clients of which the registration has ended are left out; the others count as used. */
export const insertSessionClients = async (
  query: Query,
  session: number,
  clients: ReadonlyArray<SessionClient>,
): Promise<void> => {
  const used: Array<number> = []
  for (const [place, client] of clients.entries()) {
    const ordinal = await ordinalOf(query, client)
    if (ordinal === undefined) continue
    await query(insertClient, [session, place, ordinal, client.sub, client.sid])
    used.push(ordinal)
  }
  if (used.length > 0) await useClients(query, used)
}

export const removeSessionClients = async (query: Query, session: number): Promise<void> => {
  await query(deleteClients, [session])
}
