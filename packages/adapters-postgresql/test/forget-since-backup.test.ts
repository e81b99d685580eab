// What an operator removes after a restoration.
import { done, exampleClient, exampleConsent, addition, giveConsent } from '@clientele/testing'
import * as assert from 'uvu/assert'
import { forgetSinceBackup } from '../src/index.js'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { query } from './support/query.js'
import { newStore, opened, optionsOf } from './support/temporary-store.js'

const tests = postgresqlSuite('what is forgotten after a restoration')

tests('may take longer than a request to be removed', async (server) => {
  const url = await newStore(server)
  const store = await opened(url)
  await done(store.registry.addClient(addition(exampleClient('a'))))
  await done(giveConsent(store, exampleConsent(exampleClient('a'))))
  await store.close()
  await query(
    url,
    `CREATE FUNCTION be_many() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(4); RETURN NULL; END';
    CREATE TRIGGER be_many AFTER DELETE ON consents EXECUTE FUNCTION be_many()`,
  )
  const { clients, forgotten } = await done(forgetSinceBackup(optionsOf(url)))
  assert.equal({ clients, consents: forgotten.consents }, { clients: 1, consents: 1 })
})

tests.run()
