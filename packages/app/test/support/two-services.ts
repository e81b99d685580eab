// Two instances on one store, each with a provider.
import { emptyState, openInMemoryStore } from '@clientele/adapters-memory'
import type { RegisteredClient } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import type { Service, ServiceOptions } from '../../src/compose.js'
import type { Granted } from '../../src/engine/provider.js'
import { post, started } from '../cli/run.js'

export type World = { readonly directories: Array<string>; readonly one: Service; readonly other: Service }

export const masterToken = 'the-master-token-of-both-services-in-this-test'

export const startTwo = async (
  more: Readonly<Record<string, string>> = {},
  given: Partial<ServiceOptions> = {},
  openStore = openInMemoryStore(emptyState()),
): Promise<World> => {
  const directories = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'clientele-')))
  const flags = { 'master-token': masterToken, ...more }
  const [one, other] = await Promise.all(
    directories.map((directory) => started({ 'data-dir': directory, ...flags }, { ...given, openStore })),
  )
  if (one === undefined || other === undefined) throw new Error('two services were started')
  return { directories, one, other }
}

export const stopTwo = async ({ directories, one, other }: World): Promise<void> => {
  for (const { stop } of [one, other]) await stop()
  for (const each of directories) rmSync(each, { recursive: true })
}

export const done = async <Failure, Value>(task: TE.TaskEither<Failure, Value>): Promise<Value> => {
  const outcome = await task()
  if (E.isLeft(outcome)) throw new Error(JSON.stringify(outcome.left))
  return outcome.right
}

export type Registration = { readonly client_id: string; readonly registration_id: string }

export type Registered = {
  readonly client_id: string
  readonly client_secret: string
  readonly registration_access_token: string
}

export const register = async ({ url }: Service, sent = {}): Promise<Registered> => {
  const answer = await post(`${url}/clients`, masterToken, { redirect_uris: ['https://rp.example/cb'], ...sent })
  assert.is(answer.status, 200)
  return (await answer.json()) as Registered
}

export const remove = async ({ url }: Service, { client_id }: Pick<Registered, 'client_id'>): Promise<void> => {
  const headers = { Authorization: `Bearer ${masterToken}` }
  assert.is((await fetch(`${url}/clients/${client_id}`, { method: 'DELETE', headers })).status, 204)
}

export const find = async ({ provider: { clients } }: Service, clientId: string): Promise<RegisteredClient> => {
  const found = await done(clients.find(clientId))
  if (O.isNone(found)) throw new Error(`${clientId} is registered`)
  return found.value
}

export const grant = ({ client_id, registration_id }: Registration, token: string): Granted => ({
  kind: 'refresh_token',
  token,
  client_id,
  registration_id,
  expires_at: Math.floor(Date.now() / 1000) + 3600,
  details: { scope: 'a' },
})
