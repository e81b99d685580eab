import type { EndUserSession, SessionClient } from '@clientele/domain'
import type { Query } from './database.js'
import { ordinalOf, useClients } from './registered-clients.js'

const insertClient = {
  name: 'insert_session_client',
  text: 'INSERT INTO session_clients (session, place, client, sub, sid) VALUES ($1, $2, $3, $4, $5)',
}
const deleteClients = { name: 'delete_session_clients', text: 'DELETE FROM session_clients WHERE session = $1' }

type JoinedClients = Pick<EndUserSession, 'clients' | 'used_at'>

type Registered = SessionClient & { readonly ordinal: number }

/** The clients of which the registration has not ended, locked against removal. */
const lockClients = async (query: Query, clients: ReadonlyArray<SessionClient>): Promise<ReadonlyArray<Registered>> => {
  const registered: Array<Registered> = []
  for (const client of clients) {
    const ordinal = await ordinalOf(query, client)
    if (ordinal !== undefined) registered.push({ ...client, ordinal })
  }
  return registered
}

/** Clients of which the registration has ended are left out; the others count as used. */
export const insertSessionClients = async (
  query: Query,
  session: number,
  { clients, used_at }: JoinedClients,
): Promise<void> => {
  const registered = await lockClients(query, clients)
  for (const [place, { ordinal, sub, sid }] of registered.entries())
    await query(insertClient, [session, place, ordinal, sub, sid])
  const used = registered.map(({ ordinal }) => ordinal)
  if (used.length > 0) await useClients(query, used, used_at)
}

// The clients are locked before their rows, as by the removal of a client.
export const replaceSessionClients = async (query: Query, session: number, joined: JoinedClients): Promise<void> => {
  await lockClients(query, joined.clients)
  await query(deleteClients, [session])
  await insertSessionClients(query, session, joined)
}
