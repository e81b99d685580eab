import { sealingContract, type Reopened } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import { openStore } from '../src/index.js'
import { newDatabase } from './support/new-database.js'
import { postgresqlSuite } from './support/postgresql-suite.js'
import type { Server } from './support/server.js'
import { encryptionWith, optionsOf } from './support/temporary-store.js'

const anew = postgresqlSuite('sealing anew on PostgreSQL')

// The contracts are named before the server starts.
const used: { server?: Server } = {}

const reopened = async (): Promise<Reopened> => {
  if (used.server === undefined) throw new Error('a contract opened a store before its test')
  // The template of other tests has the digest key of another encryption.
  const url = await newDatabase(used.server)
  return {
    open: async (encryption) => {
      const store = await openStore(optionsOf(url, { encryption }))()
      if (E.isLeft(store)) throw new Error(store.left.refusal)
      return store.right
    },
    discard: () => Promise.resolve(),
  }
}

const parts = {
  newStore: reopened,
  earlier: encryptionWith('earlier'),
  both: encryptionWith('next', 'earlier'),
  next: encryptionWith('next'),
}

for (const { name, run } of sealingContract('on PostgreSQL', parts))
  anew(name, async (server) => {
    used.server = server
    await run()
  })
anew.run()
