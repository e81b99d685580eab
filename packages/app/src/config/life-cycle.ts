// How long clients that nobody uses stay (docs/operate/year.md#life-cycle-of-a-client), revoked connections (docs/operate/operators.md#connections), and rows of the audit
// log (docs/operate/operators.md#audit-log).
import { EpochSeconds } from '@clientele/domain/kernel'
import { type LifeCyclePolicy, defaultLifeCycle } from '@clientele/domain/life-cycle'
import { type Values, day, range } from './values.js'

const hour = 3_600

export const lifeCycleSection = {
  'unused-open-parked-after': range(
    'Seconds that a client of open registration waits for its first use until it is parked: maximum_unused_open_clients counts it no more. Whole days on which uses are recorded count',
    { from: hour, to: 365 * day, fallback: defaultLifeCycle.unusedOpenParkedAfter },
  ),
  'unused-open-removed-after': range(
    'Seconds that a client of open registration waits for its first use until it is removed, after it was parked. Whole days on which uses are recorded count',
    { from: 2 * hour, to: 3650 * day, fallback: defaultLifeCycle.unusedOpenRemovedAfter },
  ),
  'approval-lifetime': range(
    'Seconds that a client waits for the approval of an operator, or stays after it was refused, until it is removed; the removal is announced a week before, or in the second half of a shorter time',
    { from: 2 * day, to: 3650 * day, fallback: defaultLifeCycle.approvalLifetime },
  ),
  'client-idle-after': range('Seconds after its last use until a client is listed as idle; it goes on as before', {
    from: day,
    to: 3650 * day,
    fallback: defaultLifeCycle.idleAfter,
  }),
  'removed-client-remembered-for': range(
    'Seconds in which the service tells the application of a removed client to register anew',
    { from: 0, to: 3650 * day, fallback: defaultLifeCycle.tombstoneLifetime },
  ),
  'removed-client-restorable-for': range(
    'Seconds in which a client that the service removed by itself can be restored; 0 removes such clients for good',
    { from: 0, to: 365 * day, fallback: defaultLifeCycle.restorableFor },
  ),
  'connection-history': range('Seconds for which a connection that was revoked is still listed', {
    from: 0,
    to: 3650 * day,
    fallback: defaultLifeCycle.connectionHistory,
  }),
} as const

export const auditSection = {
  'audit-retention': range('Days for which the audit log keeps its rows', { from: 1, to: 3650, fallback: 400 }),
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
