import { createKeyMaker } from '@clientele/adapters-jose'
import type { ManageKeysPorts } from '@clientele/domain'
import type { OpenedData } from '../data/open-data.js'
import { timedPauses } from '../timed-pauses.js'

/** What the keys need of the world, in the running service and in commands alike. */
export const keyPorts = ({ store, fresh }: OpenedData): ManageKeysPorts => ({
  ...store.keyRings,
  ...store.foreignKeys,
  ...createKeyMaker(),
  ...timedPauses,
  now: fresh.now,
})
