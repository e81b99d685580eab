// A server whose synchronous standby is away: PostgreSQL, "Synchronous Replication".
import type { Store } from '@clientele/domain/ports'
import {
  done,
  exampleAuthorization,
  exampleClient,
  exampleConsent,
  exampleHash,
  exampleId,
  exampleTime,
  updatedExample,
  addition,
  noRow,
  removal,
} from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { setTimeout } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { startForwarder } from './support/forwarder.js'
import { newDatabase } from './support/new-database.js'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { query } from './support/query.js'
import { nameOfStandby, startStandby, untilReplicated } from './support/standby.js'
import { opened } from './support/temporary-store.js'

const tests = postgresqlSuite('a server with a synchronous standby')

// The server starts again while requests still wait.
const settings = { synchronous_standby_names: nameOfStandby, recovery_init_sync_method: 'syncfs' }

const updated = exampleClient('updated')
const granted = exampleAuthorization(updated, 'granted')

const prepare = async ({ registry, authorizations }: Store): Promise<void> => {
  for (const client of [updated, exampleClient('removed')]) await done(registry.addClient(addition(client)))
  await done(authorizations.recordAuthorization(granted, exampleTime))
}

const writes = ({ registry, authorizations }: Store): Readonly<Record<string, TE.TaskEither<unknown, unknown>>> => ({
  addClient: registry.addClient(addition(exampleClient('added'))),
  replaceClient: registry.replaceClient({ next: updatedExample(updated), replacing: updated, audit: noRow }),
  removeClient: registry.removeClient(removal(exampleId('removed'))),
  revokeAuthorization: authorizations.revokeAuthorization(granted.kind, granted.hash),
})

/** What answers that all is as requested already. */
const repetitions = ({ registry, authorizations, artefacts, connections, keyRings }: Store) => ({
  confirmReads: registry.confirmReads,
  confirmReadsOfKeys: keyRings.confirmReads,
  revokeAuthorization: authorizations.revokeAuthorization(granted.kind, granted.hash),
  removeArtefact: artefacts.removeArtefact('access_token', exampleHash('none')),
  removeGrant: artefacts.removeGrant(exampleHash('none')),
  revokeConnection: connections.revokeConnection({
    connection: { ...exampleConsent(updated), position: 1 },
    revoked: { at: exampleTime, by: { kind: 'master', fingerprint: '' } },
    audit: noRow,
  }),
})

const confirmedIn = async (
  tasks: Readonly<Record<string, TE.TaskEither<unknown, unknown>>>,
): Promise<ReadonlyArray<string>> => {
  const outcomes = await Promise.all(
    Object.entries(tasks).map(async ([name, task]) => ({ name, outcome: await task() })),
  )
  return outcomes.flatMap(({ name, outcome }) => (E.isRight(outcome) ? [name] : []))
}

tests.own('no write is answered as done that the standby lacks, also after a crash', async (server) => {
  const state = { isReplicating: true }
  const replication = await startForwarder(() => (state.isReplicating ? [server.port] : []))
  const url = await newDatabase(server)
  const store = await opened(url)
  await prepare(store)
  const standby = await startStandby(server, replication.port)
  await server.stop('fast')
  await server.start(settings)
  await untilReplicated(server, 'sync')
  await query(server.urlOfSuperuser, 'CHECKPOINT')
  await done(store.check)
  state.isReplicating = false
  replication.cut()
  const waiting = Object.entries(writes(store)).map(async ([name, write]) => ({ name, outcome: await write() }))
  await setTimeout(200)
  await server.stop('immediate')
  await server.start(settings)
  const doneWithout = (await Promise.all(waiting)).filter(({ outcome }) => E.isRight(outcome))
  assert.equal(
    doneWithout.map(({ name }) => name),
    [],
  )
  // The server shows the removals of before its crash, which the standby lacks.
  assert.ok(O.isNone(await done(store.registry.findClient(exampleId('removed')))))
  assert.equal(await confirmedIn(repetitions(store)), [])
  state.isReplicating = true
  await untilReplicated(server, 'sync')
  await done(store.check)
  assert.equal(await confirmedIn(repetitions(store)), Object.keys(repetitions(store)))
  for (const each of [store, standby, replication]) await each.close()
})

tests.run()
