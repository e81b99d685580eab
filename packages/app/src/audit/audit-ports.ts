import { createCheckpointVerifier } from '@clientele/adapters-jose'
import type { AuditLogPorts } from '@clientele/adapters-http'
import { secondsAfter } from '@clientele/domain/kernel'
import type { KeyRing } from '@clientele/domain/keys'
import { type VerifyAuditPorts, listAudit, verifyAudit } from '@clientele/domain/operations'
import { removedBefore } from '../config/life-cycle.js'
import type { Config } from '../config/settings.js'
import type { OpenedData } from '../data/open-data.js'

// A pass removes rows some seconds after they are due.
const tolerance = 3_600
// A minute, and what the clocks of two instances may differ by: docs/several-instances.md.
const patience = 60 + 10

const verifyPorts = (
  config: Config,
  { store, hashToken, generator }: OpenedData,
  keyRings: () => ReadonlyArray<KeyRing>,
): VerifyAuditPorts => ({
  ...store.auditLog,
  ...createCheckpointVerifier(keyRings),
  hashToken,
  times: () => {
    const now = generator.now()
    return {
      removedBefore: secondsAfter(removedBefore(config, now), tolerance),
      linkedBefore: secondsAfter(now, -patience),
    }
  },
})

/** What operators ask of the audit log, for the running service and for commands. */
export const auditLogPorts = (
  config: Config,
  data: OpenedData,
  keyRings: () => ReadonlyArray<KeyRing>,
): AuditLogPorts => ({
  listAudit: listAudit(data.store.auditLog),
  verifyAudit: verifyAudit(verifyPorts(config, data, keyRings)),
})
