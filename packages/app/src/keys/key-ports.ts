import { type KeyRotationPorts, createKeyMaker } from '@clientele/adapters-jose'
import { createTurns, timedPauses } from '@clientele/adapters-memory'
import type { OpenedData } from '../data/open-data.js'

/** What the keys need of the world, in the running service and in commands alike. */
export const keyPorts = ({ store, generator }: OpenedData): KeyRotationPorts => ({
  ...store.keyRings,
  ...store.foreignKeys,
  ...store.leases,
  ...createTurns(timedPauses),
  ...createKeyMaker(),
  now: generator.now,
  identifier: generator.identifier,
})
