import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { specialPurpose } from '../src/safe-fetch.js'
import { startNameServer } from './support/name-server.js'
import { withHttps, withTcp } from './support/test-server.js'

const ProcessExit = suite('the end of a process')

const script = fileURLToPath(new URL('./support/one-of-each.ts', import.meta.url))
const run = promisify(execFile)

ProcessExit('nothing that a request leaves behind keeps the process alive', () =>
  withHttps(
    (_, response) => response.setHeader('Keep-Alive', 'timeout=600').end('[]'),
    (answering) =>
      withTcp(async (silent) => {
        const names = await startNameServer({})
        const args = ['--import', 'tsx', '--conditions=@clientele/source', '--unhandled-rejections=strict', script]
        const reported = [String(answering.port), String(silent.port), ...names.servers]
        const { stdout, stderr } = await run(process.execPath, [...args, ...reported], { timeout: 60_000 })
        const results = [
          [],
          'unavailable: no answer within 1000 ms',
          'unavailable: ECONNREFUSED',
          `unavailable: ${specialPurpose}`,
          'unable: sector_identifier_uri: no address within 1000 ms',
        ]
        assert.equal(JSON.parse(stdout), { results, left: [] })
        assert.is(stderr, '')
        assert.ok(names.requested.length > 0)
        await names.stop()
        await silent.quiet()
      }),
  ),
)

ProcessExit.run()
