// The service on PostgreSQL, where each registration and each look-up is a statement of its own.
import { openStore } from '../../packages/adapters-postgresql/dist/index.js'
import { compose, createLog, loadConfig, readFile } from '../../packages/app/dist/index.js'

const loaded = loadConfig({ flags: {}, environment: process.env, readFile })
if (loaded._tag === 'Left') throw new Error(JSON.stringify(loaded.left))
const { config } = loaded.right
const open = (needs) =>
  openStore({
    ...needs,
    url: config['database-url'].url,
    maxConnections: config['database-max-connections'],
    preparedStatements: config['database-prepared-statements'],
    tls: config['database-tls'],
    waitForDatabase: 30_000,
    migrates: true,
    maxTogether: 1,
  })
const onFatal = (error) => {
  throw error
}
const started = await compose(config, { log: createLog('error', process.stderr), onFatal, openStore: open })()
if (started._tag === 'Left') throw new Error(started.left)
console.log(`ready ${started.right.baseUrl}`)
process.once('SIGTERM', () => void started.right.stop())
