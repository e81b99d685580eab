// The models find planted faults, also those that show only at the same moment.
import { type Store, initialAccessTokenConsumed } from '@clientele/domain'
import { clientModel, sessionModel } from '@clientele/testing'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { atOnceAs, inTurnAs, withServicesOn } from './support/models.js'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { query } from './support/query.js'
import { newStore } from './support/temporary-store.js'

const tests = postgresqlSuite('models of stores with a fault')

const firstFailure = { numRuns: 300, endOnFailure: true }

tests('an authorization that does not refer to its session', async (server) => {
  const url = await newStore(server)
  await query(url, 'ALTER TABLE authorizations DROP CONSTRAINT authorizations_held_by')
  await withServicesOn(url, async (open) => {
    const { failed } = await fc.check(atOnceAs(sessionModel, open), firstFailure)
    assert.ok(failed)
  })
})

/** The initial access token is looked up first, and removed at the end. */
const consumingLate = ({ registry, initialAccessTokens, ...store }: Store): Store => ({
  ...store,
  initialAccessTokens,
  registry: {
    ...registry,
    addClient: (client, token, limits) => {
      const add = registry.addClient(client, O.none, limits)
      if (O.isNone(token)) return add
      return pipe(
        initialAccessTokens.findInitialAccessToken(token.value),
        TE.flatMapEither(E.fromOption(() => initialAccessTokenConsumed)),
        TE.flatMap(() => add),
        TE.tap(() => initialAccessTokens.removeInitialAccessToken(token.value)),
      )
    },
  },
})

tests('a registration that consumes its initial access token late', async (server) => {
  await withServicesOn(
    await newStore(server),
    async (open) => {
      await fc.assert(inTurnAs(clientModel, open), { numRuns: 10 })
      const { failed } = await fc.check(atOnceAs(clientModel, open), firstFailure)
      assert.ok(failed)
    },
    consumingLate,
  )
})

tests.run()
