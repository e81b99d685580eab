// The service of a next release, whose schema has one migration more; it takes its settings from the environment.
import * as E from 'fp-ts/lib/Either.js'
import { openStoreBy } from '../../../adapters-postgresql/src/open-store.js'
import { nextMigrations } from '../../../adapters-postgresql/test/support/next-release.js'
import { readyLine } from '../../src/cli/serve.js'
import { compose } from '../../src/compose.js'
import { loadConfig } from '../../src/config/load-config.js'
import { readFile } from '../../src/config/files.js'
import { createLog } from '../../src/observing/log.js'

const loaded = loadConfig({ flags: {}, environment: process.env, readFile })
if (E.isLeft(loaded)) throw new Error(JSON.stringify(loaded.left))
const { config } = loaded.right
const url = config['database-url']
if (url.scheme !== 'postgresql') throw new Error('database-url must name a database of PostgreSQL')

const service = await compose(config, {
  log: createLog('info', process.stderr),
  onFatal: () => process.exit(1),
  openStore: ({ encryption, generateKey }) =>
    openStoreBy(nextMigrations())({
      url: url.url,
      maxConnections: config['database-max-connections'],
      preparedStatements: config['database-prepared-statements'],
      tls: config['database-tls'],
      waitForDatabase: 30_000,
      migrates: true,
      encryption,
      generateKey,
    }),
})()
if (E.isLeft(service)) throw new Error(service.left)
process.stdout.write(readyLine(service.right))
process.once('SIGTERM', () => void service.right.stop().then(() => process.exit(0)))
