import type { Leases } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Database } from './database.js'

const acquire = {
  name: 'acquire_lease',
  text: `
INSERT INTO leases AS lease (name, holder, until) VALUES ($1, $2, $3)
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
WHERE lease.holder = excluded.holder OR lease.until <= $4
RETURNING 1`,
}
const release = { name: 'release_lease', text: 'DELETE FROM leases WHERE name = $1 AND holder = $2' }

export const createLeases = (db: Database): Leases => ({
  acquireLease: ({ name, holder, until }, at) =>
    db.writeOnce({ run: async (query) => E.right((await query(acquire, [name, holder, until, at])).length === 1) }),
  releaseLease: (name, holder) =>
    pipe(
      db.run(release, [name, holder]),
      TE.map(() => undefined),
    ),
})
