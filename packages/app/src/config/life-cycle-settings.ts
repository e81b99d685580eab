import { defaultLifeCycle } from '@clientele/domain'
import { day, range } from './values/setting-kinds.js'

const hour = 3_600

/** The settings of the life cycle of clients: docs/life-cycle.md. */
export const lifeCycleSettings = {
  'unused-open-parked-after': range(
    'Seconds after its registration until a client of open registration that was not used is parked: maximum_unused_open_clients counts it no more',
    defaultLifeCycle.unusedOpenParkedAfter,
    hour,
    365 * day,
  ),
  'unused-open-removed-after': range(
    'Seconds after its registration until a client of open registration that was not used is removed',
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
} as const
