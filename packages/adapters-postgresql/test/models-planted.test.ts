// The models find planted faults that show only when two services do something at once.
import { type Store, initialAccessTokenConsumed } from '@clientele/domain/ports'
import { type StoreModel, clientModel, sessionModel, noRow } from '@clientele/testing'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { atOnceAs, oneByOneAs, withServicesOn } from './support/models.js'
import { namingNothing } from './support/naming-nothing.js'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { query } from './support/query.js'
import { newStore } from './support/temporary-store.js'

const tests = postgresqlSuite('models of stores with a fault')

/** Fails unless the fault shows, and only by steps at once. */
const showsAtOnce = (model: StoreModel, url: string, plant: (store: Store) => Store): Promise<void> =>
  withServicesOn(
    url,
    async (open) => {
      await fc.assert(oneByOneAs(model, open), { numRuns: 15 })
      const { failed } = await fc.check(atOnceAs(model, open), { numRuns: 400, endOnFailure: true })
      assert.ok(failed)
    },
    plant,
  )

tests(
  'authorizations neither name their session nor refer to it, and its end removes those that it finds',
  async (server) => {
    const url = await newStore(server)
    await query(
      url,
      `ALTER TABLE authorizations DROP CONSTRAINT authorizations_held_by;
     CREATE FUNCTION revoke_held() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN DELETE FROM authorizations WHERE held_by = old.sid; RETURN NULL; END $$;
     CREATE TRIGGER revoke_held AFTER DELETE ON end_user_sessions FOR EACH ROW EXECUTE FUNCTION revoke_held()`,
    )
    const { authorizations, close } = namingNothing(url)
    await showsAtOnce(sessionModel, url, (store) => ({ ...store, authorizations })).finally(close)
  },
)

/** The initial access token is looked up first, and removed at the end. Before it, stores look for the idempotency key. */
const consumingLate = ({ registry, initialAccessTokens, ...store }: Store): Store => ({
  ...store,
  initialAccessTokens,
  registry: {
    ...registry,
    addClient: (added) => {
      const { consumedToken: token, keyed } = added
      if (O.isNone(token) || keyed !== undefined) return registry.addClient(added)
      const add = registry.addClient({ ...added, consumedToken: O.none, fingerprint: undefined })
      return pipe(
        initialAccessTokens.findInitialAccessToken(token.value),
        TE.flatMapEither(E.fromOption(() => initialAccessTokenConsumed)),
        TE.flatMap(() => add),
        TE.tap(() => initialAccessTokens.removeInitialAccessToken(token.value, noRow)),
      )
    },
  },
})

tests('a registration consumes its initial access token late', async (server) => {
  await showsAtOnce(clientModel, await newStore(server), consumingLate)
})

tests.run()
