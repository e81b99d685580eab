import { type KeyRotationPorts, createKeyMaker } from '@clientele/adapters-jose'
import { auditPorts, timedTurns } from '../data/operation-ports.js'
import type { OpenedData } from '../data/open-data.js'

/** The ports of the keys, for the running service and for commands. */
export const keyPorts = ({ store, generator, hashToken }: OpenedData): KeyRotationPorts => ({
  ...store.keyRings,
  ...store.foreignKeys,
  ...store.leases,
  ...timedTurns(),
  ...createKeyMaker(),
  now: generator.now,
  identifier: generator.identifier,
  ...auditPorts(hashToken),
})
