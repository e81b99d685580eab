// The same where the operator chose the strictest isolation for the database.
import { addModelTests } from './support/models.js'
import { setDefaultIsolation } from './support/new-database.js'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { newStore } from './support/temporary-store.js'

const tests = postgresqlSuite('the store of stricter isolation by two services, and the one in memory')
addModelTests(tests, async (server) => {
  const url = await newStore(server)
  await setDefaultIsolation(url, 'serializable')
  return url
})
tests.run()
