import { openStore, type StoreOptions } from '@clientele/adapters-sqlite'
import type { StoreOpener } from '@clientele/domain'
import type { DatabaseUrl } from '../config/values/database-url.js'

type Options = Pick<StoreOptions, 'expectExisting' | 'onLocked'>

type Opener = (file: string, options: Options) => StoreOpener

/** What opens a database, by the scheme of database-url: one entry for each kind. */
const openers: Readonly<Record<DatabaseUrl['scheme'], Opener>> = {
  sqlite: (file, options) => (needs) => openStore({ ...needs, ...options, file }),
}

export const openDatabase = ({ scheme }: DatabaseUrl, file: string, options: Options): StoreOpener =>
  openers[scheme](file, options)
