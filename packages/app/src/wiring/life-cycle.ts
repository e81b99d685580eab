import type { LifeCyclePolicy } from '@clientele/domain/life-cycle'
import { type AnnounceRemovalsPorts, type MakeTombstone, tombstones } from '@clientele/domain/operations'
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

/** What the service removes by itself. Where registration is not open, the operator removes what an earlier open one has left. */
export const removalPorts = (config: Config, { store, generator }: OpenedData): AnnounceRemovalsPorts => ({
  ...store.clientUses,
  now: generator.now,
  lifeCycle: lifeCyclePolicy(config),
  removes: config['allow-open-registration'],
})
