// Registrations that arrive together where a limit is set.
import { type RegistryLimits, noLimits } from '@clientele/domain/ports'
import { done, exampleClient, exampleTime, exampleToken, listed, addition, noRow } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { query } from './support/query.js'
import { numbers } from './support/services.js'
import { newStore, opened } from './support/temporary-store.js'

const tests = postgresqlSuite('registrations below a limit')

const far: RegistryLimits = { clients: 10_000, unusedOpenClients: 10_000 }

const transactions = async (url: string): Promise<number> => {
  const [row] = await query(url, 'SELECT pg_current_xact_id()::text::int AS transaction')
  return Number(row?.['transaction'])
}

tests('share transactions, as those without a limit share statements', async (server) => {
  const url = await newStore(server)
  const { registry, close } = await opened(url)
  for (const limits of [noLimits, far]) {
    const before = await transactions(url)
    const added = await Promise.all(
      numbers(200).map((index) =>
        registry.addClient(addition(exampleClient(`${limits.clients}-${index}`), { limits }))(),
      ),
    )
    assert.ok(added.every(E.isRight))
    const used = (await transactions(url)) - before
    assert.ok(used < 20, `${used} transactions`)
  }
  await close()
})

tests('take all places that are left, and those that are refused take none and spend nothing', async (server) => {
  const { registry, initialAccessTokens, close } = await opened(await newStore(server))
  const limits = { ...noLimits, clients: 4 }
  const { hash } = exampleToken('kept')
  await done(initialAccessTokens.addInitialAccessToken(exampleToken('kept'), exampleTime, noRow))
  await done(registry.addClient(addition(exampleClient('taken'), { limits })))
  const outcomes = await Promise.all([
    registry.addClient(
      addition(exampleClient('a'), { consumedToken: O.some(exampleToken('consumed').hash), limits }),
    )(),
    registry.addClient(addition(exampleClient('taken'), { limits }))(),
    registry.addClient(addition(exampleClient('b'), { limits }))(),
    registry.addClient(addition(exampleClient('c'), { limits }))(),
    registry.addClient(addition(exampleClient('d'), { limits }))(),
  ])
  const late = await registry.addClient(addition(exampleClient('e'), { consumedToken: O.some(hash), limits }))()
  assert.equal(
    [...outcomes, late].map((each) => (E.isLeft(each) ? each.left.error : 'added')),
    ['initial_access_token_spent', 'client_id_taken', 'added', 'added', 'added', 'registry_full'],
  )
  assert.ok(O.isSome(await done(initialAccessTokens.findInitialAccessToken(hash))))
  assert.is((await listed(registry)).length, 4)
  await close()
})

tests.run()
