import type { HashText } from '@clientele/domain/authorization'
import { auditRow } from '@clientele/domain/audit'
import type { AuditPorts, AuditWriting } from '@clientele/domain/operations'
import type { Store } from '@clientele/domain/ports'
import { randomUUID } from 'node:crypto'

/** Makes rows that go with a change. */
export const auditPorts = (hash: HashText): Required<AuditPorts> => ({ auditRow: auditRow(hash, randomUUID) })

/** Makes rows, and writes those that have no change in the store beside them. */
export const auditWriting = ({ auditLog }: Pick<Store, 'auditLog'>, hash: HashText): Required<AuditWriting> => ({
  ...auditPorts(hash),
  addAuditRow: auditLog.addAuditRow,
})
