// A service that reaches receivers on loopback, and may be killed as by kill -9 when the first of them is looked up: after
// the end of a session is on disk, and before an application is notified.
//   dying-service.ts DATA-DIR MASTER-TOKEN dies|lives
import * as E from 'fp-ts/lib/Either.js'
import { compose } from '../../src/compose.js'
import { loadConfig } from '../../src/config/load-config.js'
import { readFile } from '../../src/config/files.js'
import { createLog } from '../../src/observing/log.js'
import { reachReceivers } from './receivers.js'

const [dataDir = '', master = '', fate = ''] = process.argv.slice(2)
const flags = { 'data-dir': dataDir, 'master-token': master, 'outbound-fetches': 'true', port: '0' }
const loaded = loadConfig({
  flags: { ...flags, engine: 'none', 'signing-algorithms': 'ES256' },
  environment: {},
  readFile,
})
if (E.isLeft(loaded)) throw new Error(JSON.stringify(loaded.left))

const lookup = (): Promise<ReadonlyArray<string>> => {
  if (fate === 'dies') process.kill(process.pid, 'SIGKILL')
  return reachReceivers.lookup()
}

const service = await compose(loaded.right.config, {
  log: createLog('info', process.stderr),
  onFatal: () => process.exit(1),
  outbound: { ...reachReceivers, lookup },
})()
if (E.isLeft(service)) throw new Error(service.left)
const { baseUrl, stop } = service.right
process.stdout.write(`ready ${baseUrl}\n`)
process.once('SIGTERM', () => void stop())
