// Streamed lists of clients: endless, or until they fail.
import type { RegisteredClient } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { type World, createWorld } from './in-memory-ports.js'
import { registered } from './registered.js'

export const aClient = async (): Promise<RegisteredClient> => {
  const world = createWorld()
  await registered(world)
  const [client] = [...world.store.clients.values()]
  assert.ok(client !== undefined)
  return client
}

export type Endless = {
  /** The number of clients that were read after the first, and whether the list was ended. */
  readonly seen: { readonly read: number; readonly ended: boolean }
  readonly world: World
}

export const endless = async (): Promise<Endless> => {
  const client = await aClient()
  const seen = { read: 0, ended: false }
  const world = createWorld({
    streamClients: async function* () {
      try {
        for (; ; seen.read += 1) yield E.right(client)
      } finally {
        seen.ended = true
      }
    },
  })
  return { seen, world }
}

/** So many clients, and then the store fails. */
export const breakingAfter = (client: RegisteredClient, before: number): World =>
  createWorld({
    streamClients: async function* () {
      for (let left = before; left > 0; left -= 1) yield E.right(client)
      throw new Error('why-it-broke')
    },
  })
