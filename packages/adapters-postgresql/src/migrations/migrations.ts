// Migrations are numbered and go forward only. Code of the previous release goes on beside the new schema: see the record
// on migrations of several instances in docs/decisions.
import { store } from './0001-store.js'
import { instances } from './0002-instances.js'
import { artefacts } from './0003-artefacts.js'
import { receipts } from './0004-receipts.js'
import { operatorTokens } from './0005-operator-tokens.js'
import { lifeCycle } from './0006-life-cycle.js'
import { budgets } from './0007-budgets.js'
import { searchedClients } from './0008-searched-clients.js'
import { auditLog } from './0009-audit-log.js'
import { searchBlocks } from './0010-search-blocks.js'
import { precedingTokens } from './0011-preceding-tokens.js'
import { keyedRegistrations } from './0012-keyed-registrations.js'
import { observedDays } from './0013-observed-days.js'
import { auditIndexes } from './0014-audit-indexes.js'
import { removedClients } from './0015-removed-clients.js'

export type Migration = {
  readonly number: number
  /** Separated by a semicolon at the end of a line. */
  readonly statements: string
  /** The oldest schema whose code can go on beside this one. */
  readonly worksWith: number
}

export type Migrations = ReadonlyArray<Migration>

export const migrations: Migrations = [
  { number: 1, statements: store, worksWith: 1 },
  { number: 2, statements: instances, worksWith: 1 },
  { number: 3, statements: artefacts, worksWith: 1 },
  { number: 4, statements: receipts, worksWith: 1 },
  { number: 5, statements: operatorTokens, worksWith: 1 },
  { number: 6, statements: lifeCycle, worksWith: 1 },
  { number: 7, statements: budgets, worksWith: 1 },
  { number: 8, statements: searchedClients, worksWith: 1 },
  { number: 9, statements: auditLog, worksWith: 1 },
  { number: 10, statements: searchBlocks, worksWith: 1 },
  { number: 11, statements: precedingTokens, worksWith: 1 },
  { number: 12, statements: keyedRegistrations, worksWith: 1 },
  // Earlier code would remove clients that wait anew, and cannot read who registered others.
  { number: 13, statements: observedDays, worksWith: 13 },
  { number: 14, statements: auditIndexes, worksWith: 13 },
  { number: 15, statements: removedClients, worksWith: 13 },
]
