// node --import tsx test/support/serve.ts COUNT: prints the URLs of so many new databases, and keeps their server until
// its input ends.
import { once } from 'node:events'
import { givenServer } from './given-server.js'
import { givenUrl } from './given.js'
import { newDatabase } from './new-database.js'
import { startServer } from './server.js'

const server = givenUrl === undefined ? await startServer() : givenServer(givenUrl)
for (let created = 0; created < Number(process.argv[2]); created += 1)
  process.stdout.write(`${await newDatabase(server)}\n`)
process.stdin.resume()
await once(process.stdin, 'end')
await server.close()
