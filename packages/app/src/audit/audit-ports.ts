import { createCheckpointVerifier } from '@clientele/adapters-jose'
import type { AuditLogPorts } from '@clientele/adapters-http'
import { type KeyRing, type VerifyAuditPorts, EpochSeconds, listAudit, verifyAudit } from '@clientele/domain'
import { retentionOf } from '../config/audit-settings.js'
import type { Config } from '../config/settings.js'
import type { OpenedData } from '../data/open-data.js'

// A pass removes rows some seconds after they are due.
const tolerance = 3_600

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
  retention: () => {
    const at = removedBefore(config, generator.now()) + tolerance
    return { removedBefore: EpochSeconds.is(at) ? at : generator.now() }
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
