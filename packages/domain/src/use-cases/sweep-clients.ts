// Parks and removes unused clients of open registration, in limited batches: docs/life-cycle.md.
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { serviceActor } from '../audit/audit-entry.js'
import type { Unavailable } from '../errors.js'
import { type LifeCyclePolicy, registeredUntil } from '../life-cycle/client-state.js'
import type { MakeTombstone } from './steps/tombstone.js'
import type { ClientUses } from '../ports/client-uses.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { Registration } from '../registration/registered-client.js'
import { type AuditPorts, audited } from './steps/audited.js'
import { mapConcurrently } from './steps/map-concurrently.js'

export type SweepClientsPorts = Pick<ClientUses, 'parkUnused' | 'listParked' | 'removeParked'> &
  Pick<CredentialGenerator, 'now'> &
  AuditPorts & { readonly tombstone: MakeTombstone }

/** What a pass did, and whether another one has something to do. */
export type Swept = { readonly parked: number; readonly removed: number; readonly more: boolean }

/** The maximum number of clients that a pass parks, and that it removes. */
export const maxSwept = 100

// Each removal is a transaction of its own, with the event that it records.
const removedTogether = 4

/**
 * One pass. Instances may run passes at the same time: a client is parked and removed only once, and only while it is
 * unused.
 */
export const sweepClients =
  (policy: LifeCyclePolicy, ports: SweepClientsPorts): TE.TaskEither<Unavailable, Swept> =>
  async () => {
    const at = ports.now()
    const parked = await ports.parkUnused(registeredUntil(at, policy.unusedOpenParkedAfter), maxSwept)()
    if (E.isLeft(parked)) return parked
    const due = await ports.listParked(registeredUntil(at, policy.unusedOpenRemovedAfter), maxSwept)()
    if (E.isLeft(due)) return due
    const remove = (registration: Registration): TE.TaskEither<Unavailable, boolean> =>
      ports.removeParked(
        registration,
        ports.tombstone(registration.client_id),
        // One removal of a registration: its id makes the row unique.
        audited(ports, { origin: { door: 'service', request_id: registration.registration_id } }, () => ({
          at,
          action: 'client_deleted',
          client_id: registration.client_id,
          actor: serviceActor,
          members: [],
        })),
      )
    const outcomes = await mapConcurrently(removedTogether)(due.right.map(remove))()
    const failed = outcomes.find(E.isLeft)
    if (failed !== undefined) return failed
    const removed = outcomes.filter((outcome) => E.isRight(outcome) && outcome.right).length
    return E.right({ parked: parked.right, removed, more: parked.right === maxSwept || due.right.length === maxSwept })
  }
