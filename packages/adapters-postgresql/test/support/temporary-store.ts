import { createEncryption } from '@clientele/adapters-jose/node'
import type { Encryption, Store, StoreRefusal } from '@clientele/domain/ports'
import type { OpenStore, OpenedStore } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import { type StoreOptions, openStore } from '../../src/index.js'
import { newDatabase } from './new-database.js'
import type { Server } from './server.js'

/** Encryption by the key of that name; it decrypts by those of the other names as well. */
export const encryptionWith = (name: string, ...others: ReadonlyArray<string>): Encryption =>
  createEncryption(
    Buffer.alloc(32, name),
    others.map((each) => Buffer.alloc(32, each)),
  )

export const optionsOf = (url: string, changes: Partial<StoreOptions> = {}): StoreOptions => ({
  url,
  maxConnections: 5,
  preparedStatements: true,
  tls: 'verify',
  waitForDatabase: 0,
  migrates: true,
  encryption: encryptionWith('the right key'),
  generateKey: () => 'a-generated-digest-key',
  ...changes,
})

export const opened = async (url: string, changes: Partial<StoreOptions> = {}): Promise<Store> => {
  const store = await openStore(optionsOf(url, changes))()
  if (E.isLeft(store)) throw new Error(store.left.message)
  return store.right
}

export const refusalOf = async (url: string, changes: Partial<StoreOptions> = {}): Promise<StoreRefusal> => {
  const store = await openStore(optionsOf(url, changes))()
  if (E.isRight(store)) throw new Error('the store was opened')
  return store.left
}

// A copy of a migrated database takes a fraction of the time of its migrations.
const templates = new WeakMap<Server, Promise<string>>()

const createTemplate = async (server: Server): Promise<string> => {
  const url = await newDatabase(server)
  const store = await opened(url)
  await store.close()
  return new URL(url).pathname.slice(1)
}

/** A new database with an empty store. */
export const newStore = async (server: Server): Promise<string> => {
  const template = templates.get(server) ?? createTemplate(server)
  templates.set(server, template)
  return newDatabase(server, await template)
}

/** Two services on the database. */
export const openTwiceOn = async (url: string, changes: Partial<StoreOptions> = {}): Promise<OpenedStore> => {
  const one = await opened(url, changes)
  const other = await opened(url, changes)
  const close = async (): Promise<void> => {
    await one.close()
    await other.close()
  }
  return { one, other, close }
}

/** Two services on a new store. */
export const openTwice =
  (server: Server): OpenStore =>
  async () =>
    openTwiceOn(await newStore(server))
