import { type KeyRotationPorts, createKeyMaker } from '@clientele/adapters-jose'
import { createTurns, timedPauses } from '@clientele/adapters-memory'
import type { OpenedData } from '../data/open-data.js'
import { auditPorts } from '../data/audit-writing.js'

/** The ports of the keys, for the running service and for commands. */
export const keyPorts = ({ store, generator, hashToken }: OpenedData): KeyRotationPorts => ({
  ...store.keyRings,
  ...store.foreignKeys,
  ...store.leases,
  ...createTurns(timedPauses),
  ...createKeyMaker(),
  now: generator.now,
  identifier: generator.identifier,
  ...auditPorts(hashToken),
})
