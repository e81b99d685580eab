// The composed service in this process, on a real socket and a real file, with the settings that a process would read from
// its environment.
import * as E from 'fp-ts/lib/Either.js'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readyLine, registrationText, startText } from '../../src/cli/serve.js'
import { type Service as Composed, type ServiceOptions, compose } from '../../src/compose.js'
import { loadConfig } from '../../src/config/load-config.js'
import { readFile } from '../../src/config/files.js'
import { createLog } from '../../src/observing/log.js'
import { pooledKeys } from './pooled-keys.js'
import { type Service as InProcess, newDataDir } from './service.js'

export { discard, newDataDir } from './service.js'

export type Service = Pick<InProcess, 'base' | 'master' | 'dataDir' | 'output'> & {
  readonly stop: () => Promise<unknown>
}

type StartedService = Service & Pick<Composed, 'keys' | 'provider'>

// Most tests are about the registry, as it stands beside another provider: the engine has tests of its own.
const alone = { CLIENTELE_ENGINE: 'none', CLIENTELE_PORT: '0' }

export const startService = async (
  settings: Readonly<Record<string, string>> = {},
  dataDir = newDataDir(),
  options: Partial<ServiceOptions> = {},
): Promise<StartedService> => {
  const environment = { ...alone, CLIENTELE_DATA_DIR: dataDir, ...settings }
  const loaded = loadConfig({ flags: {}, environment, readFile })
  if (E.isLeft(loaded)) throw new Error(JSON.stringify(loaded.left))
  const { config } = loaded.right
  let stderr = ''
  const log = createLog(config['log-level'], { write: (text) => (stderr += text) !== '', writableLength: 0 })
  const onFatal = (error: unknown): never => {
    throw new Error(`the service ends: ${String(error)}`)
  }
  const started = await compose(config, { log, onFatal, keyMaker: pooledKeys, ...options })()
  if (E.isLeft(started)) throw new Error(started.left)
  const service = started.right
  const stdout = startText(service, registrationText(service, config)) + readyLine(service)
  const master = settings['CLIENTELE_MASTER_TOKEN'] ?? readFileSync(join(dataDir, 'master-token'), 'utf8').trim()
  const { baseUrl: base, keys, provider, stop } = service
  return { base, master, dataDir, keys, provider, output: () => ({ stdout, stderr }), stop }
}
