// The race of authorizations finds the fault of a store whose authorizations do not refer to their session.
import * as assert from 'uvu/assert'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { query } from './support/query.js'
import { recordBesideEnd } from './support/races.js'
import { openServices } from './support/services.js'
import { newStore } from './support/temporary-store.js'

const tests = postgresqlSuite('without the reference of authorizations to their session')

tests('authorizations outlive their session', async (server) => {
  const url = await newStore(server)
  await query(url, 'ALTER TABLE authorizations DROP CONSTRAINT authorizations_held_by')
  const services = await openServices(url)
  const left = await recordBesideEnd(services, 5).finally(services.close)
  assert.ok(left.length > 0)
})

tests.run()
