// The default isolation of a database is the operator's choice.
import { newDatabase, setDefaultIsolation } from './support/new-database.js'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { races } from './support/races.js'
import { openServices } from './support/services.js'

const tests = postgresqlSuite('three services on a database of stricter isolation')

const counted = ['the limits are exact', 'each due notification is claimed by one service']

for (const isolation of ['serializable', 'repeatable read'])
  for (const { name, run } of races.filter((race) => isolation === 'serializable' || counted.includes(race.name)))
    tests(`${isolation}: ${name}`, async (server) => {
      const url = await newDatabase(server)
      await setDefaultIsolation(url, isolation)
      const services = await openServices(url)
      await run(services).finally(services.close)
    })

tests.run()
