import { defaultLifeCycle } from '@clientele/domain/life-cycle'
import { day, range } from './values/setting-kinds.js'

const hour = 3_600

/** The settings of the life cycle of clients: docs/life-cycle.md. */
export const lifeCycleSettings = {
  'unused-open-parked-after': range(
    'Seconds that a client of open registration waits for its first use until it is parked: maximum_unused_open_clients counts it no more. Whole days on which uses are recorded count',
    defaultLifeCycle.unusedOpenParkedAfter,
    hour,
    365 * day,
  ),
  'unused-open-removed-after': range(
    'Seconds that a client of open registration waits for its first use until it is removed, after it was parked. Whole days on which uses are recorded count',
    defaultLifeCycle.unusedOpenRemovedAfter,
    2 * hour,
    3650 * day,
  ),
  'client-idle-after': range(
    'Seconds after its last use until a client is listed as idle; it goes on as before',
    defaultLifeCycle.idleAfter,
    day,
    3650 * day,
  ),
  'removed-client-remembered-for': range(
    'Seconds in which the service tells the application of a removed client to register anew',
    defaultLifeCycle.tombstoneLifetime,
    0,
    3650 * day,
  ),
  'removed-client-restorable-for': range(
    'Seconds in which a client that the service removed by itself can be restored; 0 removes such clients for good',
    defaultLifeCycle.restorableFor,
    0,
    365 * day,
  ),
} as const
