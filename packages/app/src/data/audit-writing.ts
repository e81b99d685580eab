import { type AuditWriting, type HashText, type Store, auditRow } from '@clientele/domain'

/** Makes rows, and writes those that have no change in the store beside them. */
export const auditWriting = ({ auditLog }: Pick<Store, 'auditLog'>, hash: HashText): Required<AuditWriting> => ({
  auditRow: auditRow(hash),
  addAuditRow: auditLog.addAuditRow,
})
