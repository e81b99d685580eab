// What two services do one after the other or at once has the outcomes and effects of some order of it in memory.
import { addModelTests } from './support/models.js'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { newStore } from './support/temporary-store.js'

const tests = postgresqlSuite('the store by two services, and the one in memory')
addModelTests(tests, newStore)
tests.run()
