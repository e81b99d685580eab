import type { Store, StoreRefusal } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpenStore } from '@clientele/testing'
import { type StoreOptions, openStore } from '../../src/index.js'
import { encryptionWith } from './encryption.js'

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'clientele-sqlite-'))

export const discard = (folder: string): void => rmSync(folder, { recursive: true, force: true })

export const optionsOf = (file: string, changes: Partial<StoreOptions> = {}): StoreOptions => ({
  file,
  encryption: encryptionWith('the right key'),
  generateKey: () => 'a-fresh-digest-key',
  onFatal: (reason) => {
    throw new Error(`fatal: ${String(reason)}`)
  },
  ...changes,
})

export const opened = async (file: string, changes: Partial<StoreOptions> = {}): Promise<Store> => {
  const store = await openStore(optionsOf(file, changes))()
  if (E.isLeft(store)) throw new Error(store.left.message)
  return store.right
}

export const refusalOf = async (file: string, changes: Partial<StoreOptions> = {}): Promise<StoreRefusal> => {
  const store = await openStore(optionsOf(file, changes))()
  if (E.isRight(store)) throw new Error(`${file} was opened`)
  return store.left
}

/** A store on a new, real file. */
export const openOnce = async (): Promise<Store> => {
  const folder = newFolder()
  const store = await opened(join(folder, 'clientele.db'))
  const close = async (): Promise<void> => {
    await store.close()
    discard(folder)
  }
  return { ...store, close }
}

/** Two connections to a new, real file. */
export const openTwiceWith =
  (changes: Partial<StoreOptions> = {}): OpenStore =>
  async () => {
    const folder = newFolder()
    const file = join(folder, 'clientele.db')
    const one = await opened(file, { ...changes, shared: true })
    const other = await opened(file, { ...changes, shared: true })
    const close = async (): Promise<void> => {
      await one.close()
      await other.close()
      discard(folder)
    }
    return { one, other, close }
  }

export const openTwice = openTwiceWith()

/** Runs the body with a folder that is always removed afterwards. */
export const inFolder = (body: (file: string, folder: string) => Promise<void>) => async (): Promise<void> => {
  const folder = newFolder()
  try {
    await body(join(folder, 'clientele.db'), folder)
  } finally {
    discard(folder)
  }
}
