// A setting of the keys is changed at two services, one by one: the rings change once.
import { newDatabase } from '../../../adapters-postgresql/test/support/new-database.js'
import { postgresqlSuite } from '../../../adapters-postgresql/test/support/postgresql-suite.js'
import { query } from '../../../adapters-postgresql/test/support/query.js'
import type { Server } from '../../../adapters-postgresql/test/support/server.js'
import { optionsOf } from '../../../adapters-postgresql/test/support/temporary-store.js'
import { openStore } from '@clientele/adapters-postgresql'
import { reconcileInterval } from '@clientele/adapters-jose'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { setTimeout as pause } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { type Flags, start } from './postgresql-service.js'

const tests = postgresqlSuite('a setting of the keys that is changed service by service')

const milliseconds = (looks: number): number => (looks * reconcileInterval + 0.5) * 1_000

const versions = async (url: string): Promise<string> => {
  const rows = await query(url, 'SELECT alg, use, version::int AS version FROM key_rings ORDER BY use, alg')
  return rows.map(({ alg, use, version }) => `${String(alg)} ${String(use)} ${String(version)}`).join(', ')
}

/** The states of the rings, one after the other, until the task is done. */
const statesDuring = async (url: string, task: Promise<void>): Promise<ReadonlyArray<string>> => {
  const states = [await versions(url)]
  const watching = { isOver: false }
  const ended = task.finally(() => (watching.isOver = true))
  while (!watching.isOver) {
    await pause(50)
    const state = await versions(url)
    if (state !== states.at(-1)) states.push(state)
  }
  await ended
  return states
}

/** Starts the services again with the new settings, one by one, and leaves each state for some looks. */
const changeOneByOne = async (services: Array<Service>, startAgain: () => Promise<Service>): Promise<void> => {
  for (const place of services.keys()) {
    await services[place]?.stop()
    services[place] = await startAgain()
    await pause(milliseconds(place === 0 ? 2 : 1))
  }
}

type Change = {
  readonly name: string
  readonly before: Flags
  readonly after: Flags
  readonly rings: ReadonlyArray<string>
}

const algorithms = (list: string): Flags => ({ 'signing-algorithms': list })

const changes: ReadonlyArray<Change> = [
  {
    name: 'an algorithm is added',
    before: algorithms('ES256'),
    after: algorithms('ES256,EdDSA'),
    rings: ['RSA-OAEP-256 enc 1, ES256 sig 1', 'RSA-OAEP-256 enc 1, ES256 sig 1, EdDSA sig 1'],
  },
  {
    name: 'an algorithm is replaced by another one',
    before: algorithms('ES256'),
    after: algorithms('EdDSA'),
    rings: ['RSA-OAEP-256 enc 1, ES256 sig 1', 'RSA-OAEP-256 enc 1, ES256 sig 2, EdDSA sig 1'],
  },
  {
    name: 'verifiers may cache the set for longer, and keys are published earlier',
    before: { ...algorithms('ES256'), 'jwks-max-age': '300', 'key-publish-ahead': '3600' },
    after: { ...algorithms('ES256'), 'jwks-max-age': '600', 'key-publish-ahead': '7200' },
    rings: ['RSA-OAEP-256 enc 1, ES256 sig 1', 'RSA-OAEP-256 enc 2, ES256 sig 2'],
  },
]

type Starting = (url: string, flags: Flags) => Promise<Service>

/** The states of the rings while the setting is changed at two services, one by one. */
const statesOf = async (
  server: Server,
  { before, after }: Pick<Change, 'before' | 'after'>,
  starting: Starting,
): Promise<ReadonlyArray<string>> => {
  const url = await newDatabase(server)
  const services = [await starting(url, before), await starting(url, before)]
  const change = changeOneByOne(services, () => starting(url, after))
  return statesDuring(url, change).finally(() => Promise.all(services.map((each) => each.stop())))
}

for (const { name, before, after, rings } of changes)
  tests(`${name}: each ring changes once`, async (server) => {
    assert.equal(await statesOf(server, { before, after }, start), rings)
  })

/** A service that reconciles whether it has the lease or not. */
const startWithoutLease: Starting = (url, flags) =>
  start(url, flags, {
    openStore: ({ encryption, generateKey }) =>
      pipe(
        openStore(optionsOf(url, { encryption, generateKey })),
        TE.map((store) => ({ ...store, leases: { ...store.leases, acquireLease: () => TE.right(true) } })),
      ),
  })

tests('without the lease, the rings change again and again', async (server) => {
  const change = { before: algorithms('ES256'), after: algorithms('EdDSA') }
  assert.ok((await statesOf(server, change, startWithoutLease)).length > 3)
})

tests.run()
