import { createCheckpointVerifier } from '@clientele/adapters-jose'
import type { AuditLogPorts } from '@clientele/adapters-http'
import { EpochSeconds, secondsAfter } from '@clientele/domain/kernel'
import type { KeyRing } from '@clientele/domain/keys'
import { type VerifyAuditPorts, listAudit, verifyAudit } from '@clientele/domain/operations'
import { retentionOf } from '../config/audit-settings.js'
import type { Config } from '../config/settings.js'
import type { OpenedData } from '../data/open-data.js'

// A pass removes rows some seconds after they are due.
const tolerance = 3_600
// A minute, and what the clocks of two instances may differ by: docs/several-instances.md.
const patience = 60 + 10

/** The time before which rows are removed. */
export const removedBefore = (config: Config, now: EpochSeconds): EpochSeconds => {
  const at = now - retentionOf(config['audit-retention'])
  return EpochSeconds.is(at) ? at : now
}

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
