import { type AuditEntry, type AuditOrigin, type AuditRow } from '../../audit/audit-entry.js'

/** Left out where there is no audit log. */
export type AuditPorts = { readonly auditRow?: (entry: AuditEntry) => AuditRow }

/** Where a request came from; a change by a request without an origin is not in the audit log. */
export type WithOrigin = { readonly origin?: AuditOrigin | undefined }

/** The row that is to be written with a change; none where there is no audit log. */
export const audited = (
  { auditRow }: AuditPorts,
  { origin }: WithOrigin,
  change: () => Omit<AuditEntry, 'origin'>,
): AuditRow | undefined =>
  auditRow === undefined || origin === undefined ? undefined : auditRow(Object.assign({ origin }, change()))
