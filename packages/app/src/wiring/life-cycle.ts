import { type LifeCyclePolicy, type MakeTombstone, tombstones } from '@clientele/domain'
import type { Config } from '../config/settings.js'
import type { OpenedData } from '../data/open-data.js'

export const lifeCyclePolicy = (config: Config): LifeCyclePolicy => ({
  unusedOpenParkedAfter: config['unused-open-parked-after'],
  unusedOpenRemovedAfter: config['unused-open-removed-after'],
  idleAfter: config['client-idle-after'],
  tombstoneLifetime: config['removed-client-remembered-for'],
  restorableFor: config['removed-client-restorable-for'],
})

/** Marks clients that are removed. */
export const tombstonesOf = (config: Config, { generator, hashToken }: OpenedData): MakeTombstone =>
  tombstones(lifeCyclePolicy(config), { now: generator.now, hashToken })
