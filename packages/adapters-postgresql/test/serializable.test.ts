// The default isolation of a database is the operator's choice.
import { newDatabase } from './support/new-database.js'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { query } from './support/query.js'
import { races } from './support/races.js'
import { openServices } from './support/services.js'

const tests = postgresqlSuite('three services on a database of stricter isolation')

for (const isolation of ['serializable', 'repeatable read'])
  for (const { name, run } of races)
    tests(`${isolation}: ${name}`, async (server) => {
      const url = await newDatabase(server)
      const database = new URL(url).pathname.slice(1)
      await query(url, `ALTER DATABASE ${database} SET default_transaction_isolation = '${isolation}'`)
      const services = await openServices(url)
      await run(services).finally(services.close)
    })

tests.run()
