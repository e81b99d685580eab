import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createMetrics, doorsOf } from '../../src/observing/metrics.js'
import { type Output, createLog, reportRequests } from '../../src/observing/log.js'

const collecting = (isTTY: boolean, pending = 0): Output & { readonly lines: Array<string> } => {
  const lines: Array<string> = []
  return { lines, isTTY, writableLength: pending, write: (line) => lines.push(line) }
}

const unobserved = { observe: () => undefined }
const doorOf = doorsOf('', '/logout')

const log = suite('log')

log('each entry is one line of JSON with time, level and message', () => {
  const output = collecting(false)
  createLog('info', output).warn({ request_id: 'r' }, 'line\nbreak')
  const { time, ...entry } = JSON.parse(output.lines.join(''))
  assert.equal(entry, { level: 'warn', request_id: 'r', msg: 'line\nbreak' })
  assert.match(time, /^\d{4}-\d\d-\d\dT.*Z$/)
  assert.match(output.lines.join(''), /^[^\n]+\n$/)
})

log('on a terminal it is one readable line, in which control and format characters are escaped', () => {
  const output = collecting(true)
  createLog('info', output).info({ route: '/clients', status: 200 }, 'a\u001b[2Jb\nc\u202Ed')
  assert.match(
    output.lines.join(''),
    /^\d\d:\d\d:\d\d\.\d{3} INFO {2}a\\u001b\[2Jb\\u000ac\\u202ed route=\/clients status=200\n$/,
  )
})

log('what is less severe than the level is left out', () => {
  const output = collecting(false)
  createLog('error', output).info('not shown')
  createLog('silent', output).fatal('not shown')
  assert.equal(output.lines, [])
})

log('when the reader stalls, entries are lost', () => {
  const output = collecting(false, 2_000_000)
  createLog('info', output).info('lost')
  assert.equal(output.lines, [])
})

log('a request is logged with its id; what the service failed at is an error with its reason', () => {
  const output = collecting(false)
  const entry = { request_id: 'r', method: 'POST', route: '/clients', status: 200, duration_ms: 1 }
  const logEntry = reportRequests(createLog('info', output), createMetrics(), unobserved, doorOf)
  logEntry(entry)
  logEntry({ ...entry, status: 503, detail: new Error('disk full') })
  const [first, second] = output.lines.map((line): Record<string, unknown> => JSON.parse(line))
  assert.is(first?.['level'], 'info')
  assert.is(first?.['request_id'], 'r')
  assert.is(second?.['level'], 'error')
  assert.match(JSON.stringify(second?.['detail']), 'disk full')
})

log('a log that leaves requests out leaves these out', () => {
  const output = collecting(false)
  const logEntry = reportRequests(createLog('warn', output), createMetrics(), unobserved, doorOf)
  logEntry({ request_id: 'r', method: 'GET', route: '/clients', status: 200, duration_ms: 1 })
  assert.equal(output.lines, [])
})

log.run()
