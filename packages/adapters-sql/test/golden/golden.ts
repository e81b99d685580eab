// The golden rows: databases as this version of the stores wrote them, with what their ports answered. Code that comes
// later opens them and answers the same. make-golden.ts made them:
//   sqlite.sql, postgresql.sql   schema and rows
//   backup.db.gz                 a backup of the SQLite file
//   reading.json                 what the ports answer
//   postgresql.json              what PostgreSQL answers otherwise
//   restored.json                what a restored backup answers otherwise
import { createEncryption } from '@clientele/adapters-jose/node'
import { RegisteredBy } from '@clientele/domain/authorization'
import { budgetKinds } from '@clientele/domain/kernel'
import type { StoreNeeds } from '@clientele/domain/ports'
import { artefactKinds } from '@clientele/domain/provider'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import type { Reading } from './reading.js'

export const goldenFile = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
export const goldenText = (name: string): string => readFileSync(goldenFile(name), 'utf8')
export const goldenReading = (name: string): Reading => JSON.parse(goldenText(name)) as Reading

const presentKey = Buffer.alloc(32, 'the golden key')
const earlierKey = Buffer.alloc(32, 'the golden key of before')

export type GoldenNeeds = Pick<StoreNeeds, 'encryption' | 'generateKey'>

/** What opens the stores. The earlier key sealed what rows.ts lists as first. */
export const goldenNeeds: GoldenNeeds = {
  encryption: createEncryption(presentKey, [earlierKey]),
  generateKey: () => 'Z29sZGVuLWRpZ2VzdC1rZXktb2YtMzItb2N0ZXRzLi4',
}
export const earlierNeeds: GoldenNeeds = { ...goldenNeeds, encryption: createEncryption(earlierKey, []) }

/** Names the call that is answered otherwise. */
export const expectReading = (found: Reading, expected: Reading): void => {
  assert.equal(Object.keys(found).sort(), Object.keys(expected).sort())
  for (const [call, answer] of Object.entries(expected)) assert.equal(found[call], answer, call)
}

/** A column of a table with so many rows, of which so many have a value. */
export type Column = {
  readonly name: string
  readonly isNullable: boolean
  readonly rows: number
  readonly values: number
}

/** Tables without rows, and columns that may be null of which all rows are alike. */
export const lackingIn = (columns: ReadonlyArray<Column>): ReadonlyArray<string> =>
  columns.flatMap(({ name, isNullable, rows, values }) => {
    if (rows === 0) return [`${name} has no row`]
    if (!isNullable) return []
    if (values === 0) return [`${name} is always null`]
    return values === rows ? [`${name} is never null`] : []
  })

/** What neither store can have. */
export const neverWritten = [
  // Only parked clients of open registration are kept aside, which no operator suspends and no token registered.
  'removed_clients.suspended_at is always null',
  'removed_clients.token_fingerprint is always null',
]

/** Columns with all the values that they can have. */
export const everyValue: ReadonlyArray<readonly [table: string, column: string, values: ReadonlyArray<unknown>]> = [
  ['artefacts', 'kind', artefactKinds],
  ['authorizations', 'kind', ['access_token', 'refresh_token', 'sticky_grant']],
  ['authorizations', 'offline', [0, 1]],
  ['budgets', 'kind', budgetKinds],
  ['clients', 'registered_by', Object.keys(RegisteredBy.keys)],
  ['clients', 'unused_open', [0, 1, 2]],
  ['clients', 'imported', [0, 1]],
  ['key_rings', 'use', ['enc', 'sig']],
]
