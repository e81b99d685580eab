// The condition on rows of clients that a filter means. It is a first choice: `matches` decides, so that a filter may be
// missing here: the index of the filters has no approval.
import { useTime } from '@clientele/domain/life-cycle'
import type { ClientFilter, FilterFacts } from '@clientele/domain/managing'
import { parkedMark } from './client-row.js'
import type { Values } from './statement.js'

// clientOriginOf and stateOf of the domain. The client_id of a registration has no colon (isRegisteredId).
const registered = `CASE WHEN imported = 1 THEN 'import' WHEN statement_issuer IS NOT NULL THEN 'statement'
  WHEN registered_by = 'token' THEN 'token' WHEN registered_by = 'nobody' THEN 'open' ELSE 'operator' END`
const origin = `CASE WHEN substr(client_id, 1, 6) = 'https:' THEN 'document' ELSE ${registered} END`
const state = `CASE WHEN suspended_at IS NOT NULL THEN 'suspended' WHEN used_at > :idle_from THEN 'active'
  WHEN used_at IS NOT NULL THEN 'idle' WHEN unused_open = ${parkedMark} THEN 'parked' ELSE 'unused' END`

// Of origins, first what the index of the filters has, so that no other row is read.
/** The condition, with the parameters of `wantedTypes`. */
export const isWanted = `(:token IS NULL OR token_fingerprint = :token)
  AND (:statement_issuer IS NULL OR statement_issuer = :statement_issuer)
  AND (:declared IS NULL OR declared_in = :declared)
  AND (:registered_by IS NULL OR registered_by = :registered_by)
  AND (:origin IS NULL OR :origin = 'document' OR ${registered} = :origin)
  AND (:origin IS NULL OR ${origin} = :origin)
  AND (:state IS NULL OR :state IN ('pending', 'refused') OR ${state} = :state)
  AND (:since IS NULL OR client_id_issued_at >= :since)
  AND (:never_used IS NULL OR CASE WHEN used_at IS NULL THEN 1 ELSE 0 END = :never_used)
  AND (:idle_since IS NULL OR client_id_issued_at < :idle_since AND (used_at IS NULL OR used_at < :idle_since_day))`

const texts = {
  token: 'text',
  statement_issuer: 'text',
  declared: 'text',
  registered_by: 'text',
  origin: 'text',
  state: 'text',
} as const
const times = { idle_from: 'number', since: 'number', idle_since: 'number', idle_since_day: 'number' } as const
export const wantedTypes = { ...texts, ...times, never_used: 'number' } as const

/** The parameters of a filter. */
export const wantedBy = (filter: ClientFilter, { now, lifeCycle }: FilterFacts): Values<typeof wantedTypes> => {
  const { token = null, statement_issuer = null, registered_by = null, state = null, since = null } = filter
  const { declared = null, origin = null, never_used, idle_since } = filter
  return {
    token,
    statement_issuer,
    declared,
    registered_by,
    origin,
    state,
    idle_from: now - lifeCycle.idleAfter,
    since,
    never_used: never_used === undefined ? null : Number(never_used),
    idle_since: idle_since ?? null,
    idle_since_day: idle_since === undefined ? null : useTime(idle_since),
  }
}
