// How long clients that nobody uses stay (docs/operate/year.md#life-cycle-of-a-client), revoked connections (docs/operate/operators.md#connections), and rows of the audit
// log (docs/operate/operators.md#audit-log).
import { EpochSeconds } from '@clientele/domain/kernel'
import { type LifeCyclePolicy, defaultLifeCycle } from '@clientele/domain/life-cycle'
import { type Values, day, range } from './values.js'

const hour = 3_600

export const lifeCycleSection = {
  'unused-open-parked-after': range(
    'After how many seconds without a first use the service parks a client of open registration: maximum_unused_open_clients then counts it no more. Only whole days on which uses are recorded count',
    { from: hour, to: 365 * day, fallback: defaultLifeCycle.unusedOpenParkedAfter },
  ),
  'unused-open-removed-after': range(
    'After how many seconds without a first use the service removes a client of open registration, which it parked before. Only whole days on which uses are recorded count',
    { from: 2 * hour, to: 3650 * day, fallback: defaultLifeCycle.unusedOpenRemovedAfter },
  ),
  'approval-lifetime': range(
    'After how many seconds the service removes a client that waits for the approval of an operator, or that an operator refused. It announces the removal a week before, or in the second half of a shorter time',
    { from: 2 * day, to: 3650 * day, fallback: defaultLifeCycle.approvalLifetime },
  ),
  'client-idle-after': range(
    'After how many seconds without use the service lists a client as idle; the client works as before',
    {
      from: day,
      to: 3650 * day,
      fallback: defaultLifeCycle.idleAfter,
    },
  ),
  'removed-client-remembered-for': range(
    'For how many seconds the service remembers a removed client, and tells its application to register anew',
    { from: 0, to: 3650 * day, fallback: defaultLifeCycle.tombstoneLifetime },
  ),
  'removed-client-restorable-for': range(
    'For how many seconds an operator can restore a client that the service removed by itself; with 0 such clients are removed for good',
    { from: 0, to: 365 * day, fallback: defaultLifeCycle.restorableFor },
  ),
  'connection-history': range(
    'For how many seconds the service still lists a connection after it was revoked. A connection is what an end-user granted to an application',
    {
      from: 0,
      to: 3650 * day,
      fallback: defaultLifeCycle.connectionHistory,
    },
  ),
} as const

export const auditSection = {
  'audit-retention': range('For how many days the audit log keeps its rows', { from: 1, to: 3650, fallback: 400 }),
} as const

export const lifeCyclePolicy = (config: Values<typeof lifeCycleSection>): LifeCyclePolicy => ({
  unusedOpenParkedAfter: config['unused-open-parked-after'],
  unusedOpenRemovedAfter: config['unused-open-removed-after'],
  approvalLifetime: config['approval-lifetime'],
  idleAfter: config['client-idle-after'],
  tombstoneLifetime: config['removed-client-remembered-for'],
  restorableFor: config['removed-client-restorable-for'],
  connectionHistory: config['connection-history'],
})

/** The time before which rows of the audit log are removed. */
export const removedBefore = (config: Values<typeof auditSection>, now: EpochSeconds): EpochSeconds => {
  const at = now - config['audit-retention'] * day
  return EpochSeconds.is(at) ? at : now
}
