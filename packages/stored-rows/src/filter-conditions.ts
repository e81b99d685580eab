// A filter as conditions in SQL: of the columns alone. What they select, `matches` judges again.
import {
  type ClientFilter,
  type ClientOrigin,
  type FilterFacts,
  type RegisteredBy,
  type RegisteredState,
  useTime,
} from '@clientele/domain'
import { parkedMark } from './waiting-clients.js'

/** `?` stands for each value. */
export type Condition = { readonly sql: string; readonly values: ReadonlyArray<string | number> }

const condition = (sql: string, ...values: ReadonlyArray<string | number>): Condition => ({ sql, values })

// The client_id of a registration contains no colon (isRegisteredId).
const isDocument = `substr(client_id, 1, 6) = 'https:'`

const ofOrigin = (origin: ClientOrigin): Condition => {
  const registeredBy = (...by: ReadonlyArray<RegisteredBy>): Condition =>
    condition(
      `NOT ${isDocument} AND imported = 0 AND statement_issuer IS NULL AND registered_by IN (${by.map(() => '?').join(', ')})`,
      ...by,
    )
  switch (origin) {
    case 'document':
      return condition(isDocument)
    case 'import':
      return condition(`NOT ${isDocument} AND imported = 1`)
    case 'statement':
      return condition(`NOT ${isDocument} AND imported = 0 AND statement_issuer IS NOT NULL`)
    case 'token':
      return registeredBy('token')
    case 'operator':
      return registeredBy('master', 'operator_token')
    case 'open':
      return registeredBy('nobody')
  }
}

const ofState = (state: RegisteredState, { now, lifeCycle }: FilterFacts): Condition => {
  const idle = now - lifeCycle.idleAfter
  switch (state) {
    case 'suspended':
      return condition('suspended_at IS NOT NULL')
    case 'active':
      return condition('suspended_at IS NULL AND used_at > ?', idle)
    case 'idle':
      return condition('suspended_at IS NULL AND used_at <= ?', idle)
    case 'parked':
      return condition(`suspended_at IS NULL AND used_at IS NULL AND unused_open = ${parkedMark}`)
    case 'unused':
      return condition(`suspended_at IS NULL AND used_at IS NULL AND unused_open <> ${parkedMark}`)
  }
}

const where = <Wanted>(
  wanted: Wanted | undefined,
  conditionOf: (wanted: Wanted) => Condition,
): ReadonlyArray<Condition> => (wanted === undefined ? [] : [conditionOf(wanted)])

/** All conditions must hold; `q` and `software_id` are of texts, and have none. */
export const filterConditions = (filter: ClientFilter, facts: FilterFacts): ReadonlyArray<Condition> => [
  ...where(filter.token, (token) => condition('token_fingerprint = ?', token)),
  ...where(filter.statement_issuer, (issuer) => condition('statement_issuer = ?', issuer)),
  ...where(filter.registered_by, (by) => condition('registered_by = ?', by)),
  ...where(filter.origin, ofOrigin),
  ...where(filter.state, (state) => ofState(state, facts)),
  ...where(filter.since, (time) => condition('client_id_issued_at >= ?', time)),
  ...where(filter.never_used, (never) => condition(never ? 'used_at IS NULL' : 'used_at IS NOT NULL')),
  ...where(filter.idle_since, (time) =>
    condition('client_id_issued_at < ? AND (used_at IS NULL OR used_at < ?)', time, useTime(time)),
  ),
]
