// Parking may leave a client that another step changes at the same time to the next pass.
import { type EpochSeconds, type RegisteredClient, type StoragePorts, noLimits } from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import { done } from '../contracts/open-store.js'
import { exampleHash, exampleId, exampleParking } from '../examples/examples.js'
import { type Run, type Step, subsetsOf } from './step.js'

type Taken = { readonly client: RegisteredClient; readonly print: string | undefined }

const printOf = async (
  { clientUses }: StoragePorts,
  { client_id }: RegisteredClient,
  prints: ReadonlyArray<string>,
): Promise<string | undefined> => {
  for (const print of prints) {
    const found = O.toUndefined(await done(clientUses.findUnused(exampleHash(print))))
    if (found?.client_id === client_id) return print
  }
  return undefined
}

const isUnusedAndOpen = async (
  { clientUses }: StoragePorts,
  { client_id, registered_by }: RegisteredClient,
): Promise<boolean> => {
  const [use] = await done(clientUses.findUses([client_id]))
  return registered_by === 'nobody' && use?.last_use === undefined && use?.parked === false
}

// For the time of the step it is not there.
const take = async (ports: StoragePorts, id: string, prints: ReadonlyArray<string>): Promise<ReadonlyArray<Taken>> => {
  const found = O.toUndefined(await done(ports.registry.findClient(exampleId(id))))
  if (found === undefined || !(await isUnusedAndOpen(ports, found))) return []
  const print = await printOf(ports, found, prints)
  await done(ports.registry.removeClient(found.client_id, O.none))
  return [{ client: found, print }]
}

const parkWithout =
  (skipped: ReadonlyArray<string>, prints: ReadonlyArray<string>, park: Run): Run =>
  (ports, seen) =>
  async () => {
    const taken: Array<Taken> = []
    for (const id of skipped) taken.push(...(await take(ports, id, prints)))
    const outcome = await park(ports, seen)()
    for (const { client, print } of taken)
      await done(
        ports.registry.addClient(client, O.none, noLimits, print === undefined ? undefined : exampleHash(print)),
      )
    return outcome
  }

/** Parks clients of these ids that were registered until then, all or some of them. */
export const parkUnused = (
  until: EpochSeconds,
  max: number,
  { ids, prints }: { readonly ids: ReadonlyArray<string>; readonly prints: ReadonlyArray<string> },
): Step => {
  const run: Run = ({ clientUses }) => clientUses.parkUnused(exampleParking(until), max)
  return {
    name: `park ${max} of until ${until}`,
    run,
    permitted: subsetsOf(ids).map((skipped) => parkWithout(skipped, prints, run)),
  }
}
