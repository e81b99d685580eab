import { day, range } from './values/setting-kinds.js'

/** The settings of the audit log: docs/audit.md. */
export const auditSettings = {
  'audit-retention': range('Days for which the audit log keeps its rows', 400, 1, 3650),
} as const

/** Seconds. */
export const retentionOf = (days: number): number => days * day
