import { openStore, type StoreOptions } from '@clientele/adapters-sqlite'
import type { StoreOpener } from '@clientele/domain'
import type { DatabaseUrl } from '../config/values/database-url.js'

type Options = Pick<StoreOptions, 'expectExisting' | 'onLocked'>

type Opener = (file: string, options: Options) => StoreOpener

/** The openers of databases by the scheme of database-url. */
const openers: Readonly<Record<DatabaseUrl['scheme'], Opener>> = {
  sqlite: (file, options) => (needs) => openStore({ ...needs, ...options, file }),
}

export const openDatabase = ({ scheme }: DatabaseUrl, file: string, options: Options): StoreOpener =>
  openers[scheme](file, options)
