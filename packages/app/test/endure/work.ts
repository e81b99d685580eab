// What the clients do: they register, read, update and delete, two at once with each initial access token.
import { type Answer, type Sent, ask } from './ask.js'
import { type Journal, acknowledge } from './journal.js'

export type World = {
  readonly base: string
  readonly master: string
  readonly journal: Journal
  readonly isOver: () => boolean
  /** Milliseconds of a pause before each client; none by default. */
  readonly rest?: number
}

type Client = { readonly id: string; readonly credential: string }

const metadata = { redirect_uris: ['https://rp.example/cb'] }

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Undefined where a write may have taken effect or not: no answer, or 503. */
const send = async ({ base }: World, path: string, sent: Sent): Promise<Answer | undefined> => {
  const answer = await ask(`${base}${path}`, sent)
  return answer?.status === 503 ? undefined : answer
}

const credentialOf = ({ json }: Answer): string => String(json['registration_access_token'])

const complain = ({ journal }: World, what: string, { status, text }: Answer): undefined => {
  journal.unexpected.push(`${what}: ${status} ${text.slice(0, 200)}`)
  return undefined
}

const issue = async (world: World, token: string): Promise<string | undefined> => {
  const sent = { method: 'POST', token: world.master, json: { scope: 'client-reg' } }
  const answer = await send(world, '/direct-authz', sent)
  if (answer === undefined) return undefined
  if (answer.status !== 200) return complain(world, 'POST /direct-authz', answer)
  acknowledge(world.journal, { kind: 'issued', token })
  return String(answer.json['access_token'])
}

const register = async (world: World, token: string, secret: string): Promise<Client | undefined> => {
  const { entries } = world.journal
  const json = { ...metadata, client_name: token }
  const answer = await send(world, '/clients', { method: 'POST', token: secret, json })
  if (answer === undefined) return void entries.push({ kind: 'registration_in_doubt', token })
  if (answer.status === 401) return void entries.push({ kind: 'token_refused', token })
  if (answer.status !== 200) return complain(world, 'POST /clients', answer)
  const client = { id: String(answer.json['client_id']), credential: credentialOf(answer) }
  acknowledge(world.journal, { kind: 'registered', token, ...client, name: token })
  return client
}

/** Notes whether the registration access token is accepted. */
export const read = async (world: World, { id, credential }: Client): Promise<void> => {
  const answer = await send(world, `/clients/${id}`, { token: credential })
  if (answer === undefined) return
  if (answer.status === 200) world.journal.entries.push({ kind: 'accepted', id, credential })
  else if (answer.status === 401) world.journal.entries.push({ kind: 'refused', id, credential })
  else complain(world, `GET /clients/${id}`, answer)
}

const update = async (world: World, { id, credential }: Client, name: string): Promise<Client | undefined> => {
  const json = { ...metadata, client_id: id, client_name: name }
  const answer = await send(world, `/clients/${id}`, { method: 'PUT', token: credential, json })
  if (answer === undefined) return void world.journal.entries.push({ kind: 'update_in_doubt', id })
  if (answer.status === 401) return void world.journal.entries.push({ kind: 'refused', id, credential })
  if (answer.status !== 200) return complain(world, `PUT /clients/${id}`, answer)
  const updated = { id, credential: credentialOf(answer) }
  acknowledge(world.journal, { kind: 'updated', ...updated, name })
  return updated
}

const remove = async (world: World, { id, credential }: Client): Promise<void> => {
  const answer = await send(world, `/clients/${id}`, { method: 'DELETE', token: credential })
  if (answer === undefined) return void world.journal.entries.push({ kind: 'deletion_in_doubt', id })
  if (answer.status === 401) return void world.journal.entries.push({ kind: 'refused', id, credential })
  if (answer.status !== 204) return complain(world, `DELETE /clients/${id}`, answer)
  acknowledge(world.journal, { kind: 'deleted', id })
  await read(world, { id, credential })
}

const live = async (world: World, token: string, client: Client, deletes: boolean): Promise<void> => {
  await read(world, client)
  const updated = await update(world, client, `${token} updated`)
  if (updated === undefined) return
  await read(world, client)
  await read(world, updated)
  if (deletes) await remove(world, updated)
}

/** Goes on until the end, with a client after the other. */
export const work = async (world: World, worker: string): Promise<void> => {
  for (let round = 0; !world.isOver(); round += 1) {
    const token = `${worker}-${round}`
    if (world.rest !== undefined) await pause(world.rest)
    const secret = await issue(world, token)
    // The database may be away: no request waits for long then.
    if (secret === undefined) await pause(50)
    else {
      const clients = await Promise.all([register(world, token, secret), register(world, token, secret)])
      const registered = clients.flatMap((each) => (each === undefined ? [] : [each]))
      await Promise.all(registered.map((each) => live(world, token, each, round % 2 === 0)))
    }
  }
}
