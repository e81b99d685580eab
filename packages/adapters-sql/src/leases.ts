// The leases of instances, with their ends.
import type { Leases } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import { change } from './statement.js'
import { type Engine, verb, verbOf } from './verb.js'

const acquire = change(
  `
INSERT INTO leases (name, holder, until) VALUES (:name, :holder, :until)
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
WHERE leases.holder = excluded.holder OR leases.until <= :at`,
  { name: 'text', holder: 'text', until: 'number', at: 'number' },
)
const release = change('DELETE FROM leases WHERE name = :name AND holder = :holder', { name: 'text', holder: 'text' })

export const createLeases = (engine: Engine): Leases => ({
  acquireLease: (lease, at) =>
    engine.write(verb({}, async (tx) => E.right((await tx.run(acquire, { ...lease, at })) > 0))),
  releaseLease: (name, holder) => engine.write(verbOf({}, release, { name, holder })),
})
