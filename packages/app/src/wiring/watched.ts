import type { KeyRotationScheduler } from '@clientele/adapters-jose'
import { describeKeys } from '@clientele/domain/keys'
import { announceRemovals } from '@clientele/domain/operations'
import type { Config } from '../config/settings.js'
import { lifeCyclePolicy, portsOf } from '../data/operation-ports.js'
import type { OpenedData } from '../data/open-data.js'
import { keySettings } from '../keys/key-settings.js'
import { type Watched, createCounting } from '../observing/stored-metrics.js'

/** What a scrape reads of a running service. */
export const watchedIn = (
  config: Config,
  data: OpenedData,
  { keyRings }: Pick<KeyRotationScheduler, 'keyRings'>,
): Watched => {
  const { store, generator } = data
  const { now } = generator
  const { policy } = keySettings(config)
  return {
    counted: createCounting({
      census: store.census,
      removals: announceRemovals(portsOf(config, data)),
      policy: lifeCyclePolicy(config),
      now,
    }),
    keys: () => describeKeys(policy, keyRings()),
    now,
  }
}
