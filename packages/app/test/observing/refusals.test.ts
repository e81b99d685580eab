import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createMetrics } from '../../src/observing/metrics.js'
import { createLog, reportRefusals } from '../../src/observing/log.js'

const refusals = suite('refusals')

refusals('all are counted, and of each kind one entry a minute says what can be done', async () => {
  const lines: Array<string> = []
  const log = createLog('warn', { write: (line) => lines.push(line), writableLength: 0 })
  const metrics = createMetrics()
  const clock = { now: 0 }
  const refused = reportRefusals(log, metrics, () => clock.now)
  for (const now of [0, 1, 59_999, 60_000, 60_001]) {
    clock.now = now
    refused('connection')
  }
  refused('pipelining')
  const reported = lines.map((line) => String(Object.entries(JSON.parse(line)).find(([name]) => name === 'refused')))
  assert.equal(reported, ['refused,connection', 'refused,connection', 'refused,pipelining'])
  assert.match(lines[0] ?? '', 'raise maximum-connections, or list the proxy in front in trusted-proxies')
  assert.match(await metrics.read(), 'clientele_refused_total{what="connection"} 5\n')
})

refusals.run()
