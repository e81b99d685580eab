// What two services do in turn or at once has the outcomes and effects of some order of it in memory.
import { storeModels } from '@clientele/testing'
import * as fc from 'fast-check'
import { atOnceAs, fewer, inTurnAs, withServicesOn } from './support/models.js'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { newStore } from './support/temporary-store.js'

const tests = postgresqlSuite('the store by two services, and the one in memory')

for (const model of storeModels) {
  tests(`${model.name}: the same outcomes and state in turn`, async (server) =>
    withServicesOn(await newStore(server), (open) => fc.assert(inTurnAs(model, open), fewer())),
  )
  tests(`${model.name}: those of some order at once`, async (server) =>
    withServicesOn(await newStore(server), (open) => fc.assert(atOnceAs(model, open), fewer())),
  )
}

tests.run()
