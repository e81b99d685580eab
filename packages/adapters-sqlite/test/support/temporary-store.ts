import * as E from 'fp-ts/lib/Either.js'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpenStore } from '@clientele/testing'
import type { Store, StoreOptions, StoreRefusal } from '../../src/index.js'
import { openStore } from '../../src/index.js'
import { sealingWith } from './sealing.js'

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'clientele-sqlite-'))

export const discard = (folder: string): void => rmSync(folder, { recursive: true, force: true })

export const optionsOf = (file: string, changes: Partial<StoreOptions> = {}): StoreOptions => ({
  file,
  sealing: sealingWith('the right key'),
  freshKey: () => 'a-fresh-digest-key',
  onFatal: (reason) => {
    throw new Error(`fatal: ${String(reason)}`)
  },
  ...changes,
})

export const opened = (file: string, changes: Partial<StoreOptions> = {}): Store => {
  const store = openStore(optionsOf(file, changes))
  if (E.isLeft(store)) throw new Error(store.left.message)
  return store.right
}

export const refusalOf = (file: string, changes: Partial<StoreOptions> = {}): StoreRefusal => {
  const store = openStore(optionsOf(file, changes))
  if (E.isRight(store)) throw new Error(`${file} was opened`)
  return store.left
}

/** A store on a real file of its own. */
export const openOnce = async (): Promise<Store> => {
  const folder = newFolder()
  const store = opened(join(folder, 'clientele.db'))
  const close = async (): Promise<void> => {
    await store.close()
    discard(folder)
  }
  return { ...store, close }
}

/** Two connections to a real file of their own. */
export const openTwice: OpenStore = async () => {
  const folder = newFolder()
  const file = join(folder, 'clientele.db')
  const one = opened(file, { shared: true })
  const other = opened(file, { shared: true })
  const close = async (): Promise<void> => {
    await one.close()
    await other.close()
    discard(folder)
  }
  return { one, other, close }
}

/** Runs the body on a folder that is removed whatever happens. */
export const inFolder = (body: (file: string, folder: string) => Promise<void>) => async (): Promise<void> => {
  const folder = newFolder()
  try {
    await body(join(folder, 'clientele.db'), folder)
  } finally {
    discard(folder)
  }
}
