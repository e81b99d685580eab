// The built service with its other shell, over a bridge to node:http, so that the tests on the wire run on both.
import * as adapter from '@clientele/adapters-http/fetch'
import * as E from 'fp-ts/lib/Either.js'
import { bridgedShell } from '../../../adapters-http/test/support/bridge.js'
import { compose } from '../../src/compose.js'
import { loadConfig } from '../../src/config/load-config.js'
import { readFile } from '../../src/config/values/read-file.js'
import { createLog } from '../../src/observing/log.js'
import { readyLine, startText } from '../../src/commands/start-text.js'

const loaded = loadConfig({ flags: {}, environment: process.env, readFile })
if (E.isLeft(loaded)) throw new Error(JSON.stringify(loaded.left))
const { config } = loaded.right
const service = await compose(config, {
  log: createLog(config['log-level'], process.stderr),
  onFatal: () => process.exit(1),
  shell: bridgedShell(adapter),
})()
if (E.isLeft(service)) throw new Error(service.left)
process.once('SIGTERM', () => void service.right.stop())
process.stdout.write(startText(service.right) + readyLine(service.right))
