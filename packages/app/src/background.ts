// What the service does by itself in the database: it removes unused clients, and indexes the texts of new ones.
import type { Config } from './config/settings.js'
import type { OpenedData } from './data/open-data.js'
import { type ClientSweeper, createClientSweeper } from './life-cycle/client-sweeper.js'
import { createTextIndexer } from './life-cycle/text-indexer.js'
import type { Log } from './observing/log.js'
import { lifeCyclePolicy, tombstonesOf } from './wiring/life-cycle.js'

export type Background = {
  readonly start: () => void
  readonly stop: () => Promise<void>
}

// Where registration is not open, the operator removes what an earlier open registration has left.
const sweeperOf = (config: Config, data: OpenedData, log: Log): ClientSweeper | undefined =>
  config['allow-open-registration']
    ? createClientSweeper({
        policy: lifeCyclePolicy(config),
        ports: { ...data.store.clientUses, now: data.generator.now, tombstone: tombstonesOf(config, data) },
        log,
      })
    : undefined

export const createBackground = (config: Config, data: OpenedData, log: Log): Background => {
  const sweeper = sweeperOf(config, data, log)
  const indexer = createTextIndexer(data.store.clientSearch, log)
  return {
    start: () => {
      sweeper?.start()
      indexer.start()
    },
    stop: async () => {
      await Promise.all([sweeper?.stop(), indexer.stop()])
    },
  }
}
