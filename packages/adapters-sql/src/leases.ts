// The leases of instances, with their ends.
import type { EpochSeconds, Lease, Leases } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { change } from './statement.js'
import { type Engine, verb } from './verb.js'

const acquire = change(
  `
INSERT INTO leases (name, holder, until) VALUES (:name, :holder, :until)
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
WHERE leases.holder = excluded.holder OR leases.until <= :at`,
  { name: 'text', holder: 'text', until: 'number', at: 'number' },
)
const release = change('DELETE FROM leases WHERE name = :name AND holder = :holder', { name: 'text', holder: 'text' })

const acquireLease = verb<Lease & { readonly at: EpochSeconds }, never, boolean>(
  () => ({}),
  async (tx, lease) => E.right((await tx.run(acquire, lease)) > 0),
)

const releaseLease = verb<Pick<Lease, 'name' | 'holder'>, never, undefined>(
  () => ({}),
  async (tx, lease) => {
    await tx.run(release, lease)
    return E.right(undefined)
  },
)

export const createLeases = (engine: Engine): Leases => ({
  acquireLease: (lease, at) => engine.write(acquireLease, TE.right({ ...lease, at })),
  releaseLease: (name, holder) => engine.write(releaseLease, TE.right({ name, holder })),
})
