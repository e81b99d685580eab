// The service of its settings, which reaches receivers on loopback.
import * as E from 'fp-ts/lib/Either.js'
import { readyLine } from '../../src/cli/serve.js'
import { compose } from '../../src/compose.js'
import { loadConfig } from '../../src/config/load-config.js'
import { readFile } from '../../src/config/files.js'
import { createLog } from '../../src/observing/log.js'
import { reachReceivers } from './receivers.js'

const loaded = loadConfig({ flags: {}, environment: process.env, readFile })
if (E.isLeft(loaded)) throw new Error(JSON.stringify(loaded.left))
const { config } = loaded.right
const service = await compose(config, {
  log: createLog(config['log-level'], process.stderr),
  onFatal: () => process.exit(1),
  outbound: reachReceivers,
})()
if (E.isLeft(service)) throw new Error(service.left)
process.once('SIGTERM', () => void service.right.stop())
process.stdout.write(readyLine(service.right))
