// What the service does by itself in the database: it removes unused clients, indexes the texts of new ones, and links
// the audit log.
import { type KeyRotationScheduler, createCheckpointSigner, createJwsSigner } from '@clientele/adapters-jose'
import { createAuditLinker } from './audit/audit-linker.js'
import { removedBefore } from './config/life-cycle.js'
import type { Config } from './config/settings.js'
import { portsOf } from './data/operation-ports.js'
import type { OpenedData } from './data/open-data.js'
import { keySettings } from './config/keys.js'
import { type ClientSweeperOptions, createClientSweeper } from './life-cycle/client-sweeper.js'
import { createTextIndexer } from './life-cycle/text-indexer.js'
import type { Log } from './observing/log.js'
import type { RepeatedPasses } from './repeated-passes.js'

/** What the service parks and removes by itself. */
export const sweeperPorts = (config: Config, data: OpenedData): ClientSweeperOptions['ports'] => ({
  ...portsOf(config, data),
  recordsUses: config.engine !== 'none',
})

const linkerOf = (config: Config, data: OpenedData, rotation: KeyRotationScheduler, log: Log): RepeatedPasses => {
  const { store, generator, hashToken } = data
  const signer = createJwsSigner(keySettings(config).policy, rotation)
  const [alg = 'RS256'] = config['signing-algorithms']
  return createAuditLinker({
    ports: { ...store.auditLog, ...createCheckpointSigner(signer, alg), now: generator.now, hashToken },
    removedBefore: () => removedBefore(config, generator.now()),
    log,
  })
}

/** It is stopped after the last request, and while there are keys to sign with. */
export const createBackground = (
  config: Config,
  data: OpenedData,
  rotation: KeyRotationScheduler,
  log: Log,
): RepeatedPasses => {
  const sweeper = createClientSweeper({ ports: sweeperPorts(config, data), log })
  const indexer = createTextIndexer(data.store.clientSearch, log)
  const linker = linkerOf(config, data, rotation, log)
  return {
    start: () => {
      sweeper.start()
      indexer.start()
      linker.start()
    },
    stop: async () => {
      await Promise.all([sweeper.stop(), indexer.stop()])
      await linker.stop()
    },
  }
}
