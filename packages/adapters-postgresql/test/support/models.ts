// The store on PostgreSQL, opened by two services, against the one in memory. Expired rows may remain: those that
// another transaction locks are not removed.
import type { Store } from '@clientele/domain/ports'
import {
  type OpenStore,
  type StoreModel,
  propertyRuns,
  runParameters,
  storeModelProperty,
  storeModels,
} from '@clientele/testing'
import * as fc from 'fast-check'
import { inMemoryReference } from '../../../adapters-memory/test/support/in-memory-reference.js'
import type { PostgresqlSuite } from './postgresql-suite.js'
import { query } from './query.js'
import type { Server } from './server.js'
import { openTwiceOn } from './temporary-store.js'

const oneByOne = { atOnce: { min: 1, max: 1 }, freedoms: { expired: true, order: false } }
// Ordinals are drawn before the commit.
const atOnce = { atOnce: { min: 2, max: 4 }, freedoms: { expired: true, order: true } }

/** What the services return and store is what the store in memory does, by steps one after the other. */
export const oneByOneAs = (model: StoreModel, open: OpenStore) =>
  storeModelProperty(model, { open, reference: inMemoryReference, ...oneByOne })

/** The same by several steps at once: as in some order. */
export const atOnceAs = (model: StoreModel, open: OpenStore) =>
  storeModelProperty(model, { open, reference: inMemoryReference, ...atOnce })

const fewer = () => ({ ...runParameters(), numRuns: Math.ceil(propertyRuns() / 4) })

// All else refers to these.
const tables = [
  'clients',
  'end_user_sessions',
  'artefacts',
  'initial_access_tokens',
  'ending_confirmations',
  'key_rings',
  'leases',
  'tombstones',
  'observed_days',
  'removed_clients',
]
const deletions = tables.map((table) => `DELETE FROM ${table}`).join(';')

/** Runs the test with two services on the database, which is emptied each time that they are asked for. */
export const withServicesOn = async (
  url: string,
  test: (open: OpenStore) => Promise<void>,
  change: (store: Store) => Store = (store) => store,
): Promise<void> => {
  const { one, other, close } = await openTwiceOn(url)
  const open: OpenStore = async () => {
    await query(url, deletions)
    return { one: change(one), other: change(other), close: () => Promise.resolve() }
  }
  await test(open).finally(close)
}

/** Adds a test of each model and each way, on databases of these settings. */
export const addModelTests = (tests: PostgresqlSuite, newUrl: (server: Server) => Promise<string>): void => {
  for (const model of storeModels) {
    tests(`${model.name}: the same outcomes and state, one after the other`, async (server) =>
      withServicesOn(await newUrl(server), (open) => fc.assert(oneByOneAs(model, open), fewer())),
    )
    tests(`${model.name}: those of some order at once`, async (server) =>
      withServicesOn(await newUrl(server), (open) => fc.assert(atOnceAs(model, open), fewer())),
    )
  }
}
