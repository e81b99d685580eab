// At the end: the clients that are in the database, and which registration access tokens are accepted.
import { ask } from './ask.js'
import type { Entry } from './journal.js'
import { type World, read } from './work.js'

const concurrency = 16

type Listed = { readonly client_id: string; readonly client_name: string }

const isListed = (value: unknown): value is Listed =>
  typeof value === 'object' && value !== null && 'client_id' in value && 'client_name' in value

const listed = async ({ base, master }: World): Promise<ReadonlyArray<Listed>> => {
  const answer = await ask(`${base}/clients`, { token: master })
  const clients: unknown = JSON.parse(answer?.text ?? 'null')
  if (!Array.isArray(clients) || !clients.every(isListed)) throw new Error('the clients cannot be listed at the end')
  return clients
}

type Issued = { readonly id: string; readonly credential: string }

const issuedIn = (entries: ReadonlyArray<Entry>): ReadonlyArray<Issued> =>
  entries.flatMap((entry) => (entry.kind === 'registered' || entry.kind === 'updated' ? [entry] : []))

const readAll = async (world: World, issued: Array<Issued>): Promise<void> => {
  for (let next = issued.pop(); next !== undefined; next = issued.pop()) await read(world, next)
}

/** Adds to the journal what is found. */
export const check = async (world: World): Promise<void> => {
  const { entries } = world.journal
  const issued = issuedIn(entries)
  const clients = await listed(world)
  const ids = new Set(clients.map(({ client_id }) => client_id))
  for (const { client_id: id, client_name: name } of clients)
    entries.push({ kind: 'found', id, token: name.split(' ')[0] ?? '', name })
  for (const id of new Set(issued.map((each) => each.id))) if (!ids.has(id)) entries.push({ kind: 'missing', id })
  const left = [...issued]
  await Promise.all(Array.from({ length: concurrency }, () => readAll(world, left)))
}
