import { openStore, type Store, type StoreOptions, type StoreRefusal } from '@clientele/adapters-sqlite'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { DatabaseUrl } from '../config/values/database-url.js'

type Options = Omit<StoreOptions, 'file'>

type Opener = (file: string, options: Options) => TE.TaskEither<StoreRefusal, Store>

/** What opens a database, by the scheme of database-url: one entry for each kind. */
const openers: Readonly<Record<DatabaseUrl['scheme'], Opener>> = {
  sqlite: (file, options) => TE.fromIOEither(() => openStore({ ...options, file })),
}

export const openDatabase = (
  { scheme }: DatabaseUrl,
  file: string,
  options: Options,
): TE.TaskEither<StoreRefusal, Store> => openers[scheme](file, options)
