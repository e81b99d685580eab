// The lines of requests are those of pino, whatever a request is.
import type { HttpLogEntry } from '@clientele/adapters-http'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createLog, logRequest } from '../../src/observing/log.js'

const lines = suite('lines of requests')

const texts = fc.array(fc.string({ unit: 'binary' }), { maxLength: 3 })

// As the shells make entries: members that are absent are left out.
const entries: fc.Arbitrary<HttpLogEntry> = fc.record(
  {
    request_id: fc.string({ unit: 'binary' }),
    remote_address: fc.string({ unit: 'binary' }),
    method: fc.string({ unit: 'binary' }),
    route: fc.string({ unit: 'binary' }),
    status: fc.integer({ min: 0, max: 499 }),
    duration_ms: fc.integer({ min: 0, max: 600_000 }).map((tenths) => tenths / 10),
    reason: fc.string(),
    error: fc.string(),
    rules: texts,
    pointers: texts,
    client_id: fc.string(),
    actor: fc.record(
      { kind: fc.constantFrom('master', 'token'), fingerprint: fc.string() },
      { requiredKeys: ['kind'] },
    ),
    trace_id: fc.string(),
    span_id: fc.string(),
  },
  { requiredKeys: ['request_id', 'method', 'route', 'status', 'duration_ms'] },
)

const timeless = (line: string): string => line.replace(/"time":"[^"]*"/, '"time":""')

lines('a line from the template is that of the logger, with the members of the process or without', () => {
  fc.assert(
    fc.property(entries, fc.constantFrom(null, { worker: 2 }), (entry, members) => {
      const written: string[] = []
      const output = { write: (line: string) => written.push(line), writableLength: 0 }
      const log = createLog('info', output, members)
      logRequest(log)(entry)
      log.info(entry, 'request')
      const [line = '', expected = ''] = written.map(timeless)
      assert.is(line, expected)
    }),
  )
})

lines('a log that leaves requests out leaves these out', () => {
  const written: string[] = []
  const log = createLog('warn', { write: (line) => written.push(line), writableLength: 0 })
  logRequest(log)({ request_id: 'r', method: 'GET', route: '/clients', status: 200, duration_ms: 1 })
  assert.equal(written, [])
})

lines.run()
