// The race of authorizations finds the fault of a store whose authorizations neither name their session nor refer to it.
import * as assert from 'uvu/assert'
import { namingNothing } from './support/naming-nothing.js'
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
  const { authorizations, close } = namingNothing(url)
  const [one, two, three] = services.stores
  const stores = [
    { ...one, authorizations },
    { ...two, authorizations },
    { ...three, authorizations },
  ] as const
  const left = await recordBesideEnd({ ...services, stores }, 5).finally(services.close)
  await close()
  assert.ok(left.length > 0)
})

tests.run()
