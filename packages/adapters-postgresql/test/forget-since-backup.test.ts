// What an operator removes after a restoration.
import {
  addition,
  done,
  exampleArtefact,
  exampleAuthorization,
  exampleClient,
  exampleConsent,
  exampleHash,
  exampleSession,
  exampleTime,
  giveConsent,
} from '@clientele/testing'
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

tests('is counted where it ends with a session as well', async (server) => {
  const url = await newStore(server)
  const store = await opened(url)
  const client = exampleClient('a')
  const session = exampleSession('s')
  await done(store.registry.addClient(addition(client)))
  await done(store.endUserSessions.addSession(session, exampleHash('cookie'), exampleTime, undefined))
  const artefact = { ...exampleArtefact('access_token', 'artefact'), session: session.sid }
  await done(store.artefacts.storeArtefact(artefact, exampleTime))
  const authorization = { ...exampleAuthorization(client, 'authorization'), session: session.sid }
  await done(store.authorizations.recordAuthorization(authorization, exampleTime))
  await store.close()
  const { end_user_sessions, artefacts, authorizations } = (await done(forgetSinceBackup(optionsOf(url)))).forgotten
  assert.equal(
    { end_user_sessions, artefacts, authorizations },
    { end_user_sessions: 1, artefacts: 1, authorizations: 1 },
  )
})

tests.run()
