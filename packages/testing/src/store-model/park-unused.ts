// Parking may leave a client that another step changes at the same time to the next pass.
import { type DueParking, isSuspended } from '@clientele/domain/life-cycle'
import type { StoragePorts } from '@clientele/domain/ports'
import type { RegisteredClient } from '@clientele/domain/registration'
import * as O from 'fp-ts/lib/Option.js'
import { done } from '../contracts/contract.js'
import { exampleId, exampleTime, noRow } from '../examples/examples.js'
import { type Run, type Step, subsetsOf } from './step.js'

/** Suspends the clients for the time of the step, in which no suspended one is parked. */
const parkWithout =
  (skipped: ReadonlyArray<string>, park: Run): Run =>
  (ports, seen) =>
  async () => {
    const { registry }: StoragePorts = ports
    const suspended: Array<RegisteredClient> = []
    for (const id of skipped) {
      const client = O.toUndefined(await done(registry.findClient(exampleId(id))))
      if (client === undefined || isSuspended(client)) continue
      await done(
        registry.replaceClient({ next: { ...client, suspended_at: exampleTime }, replacing: client, audit: noRow }),
      )
      suspended.push(client)
    }
    const outcome = await park(ports, seen)()
    for (const client of suspended)
      await done(registry.replaceClient({ next: client, replacing: client, audit: noRow }))
    return outcome
  }

/** Parks those clients of these ids that are due, all or some of them. */
export const parkUnused = (due: DueParking, max: number, ids: ReadonlyArray<string>): Step => {
  const run: Run = ({ clientUses }) => clientUses.parkUnused(due, max)
  return {
    name: `park ${max} of ${JSON.stringify(due)}`,
    run,
    permitted: subsetsOf(ids).map((skipped) => parkWithout(skipped, run)),
  }
}
