// docs/operate/observe.md: its tables of metrics and of members of log entries are complete.
import { type HttpLogEntry } from '@clientele/adapters-http'
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createMetrics } from '../../src/observing/metrics.js'

const document = readFileSync(new URL('../../../../docs/operate/observe.md', import.meta.url), 'utf8')

const section = (title: string): string => document.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''

const firstCells = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  )

// Complete, or it does not compile.
const entry: Required<HttpLogEntry> = {
  request_id: '',
  method: '',
  route: '',
  status: 0,
  duration_ms: 0,
  remote_address: '',
  detail: undefined,
  reason: '',
  error: '',
  rules: [],
  pointers: [],
  client_id: '',
  actor: { kind: 'master' },
  asked: '',
  trace_id: '',
  span_id: '',
}
const ofEveryLine = ['time', 'level', 'msg', 'worker']

const Documented = suite('docs/operate/observe.md')

Documented('lists the members of log entries', () => {
  assert.equal([...firstCells(section('Log entries'))].sort(), [...Object.keys(entry), ...ofEveryLine].sort())
})

Documented('lists the metrics, each with its type and labels', async () => {
  const text = await createMetrics().read()
  const types = [...text.matchAll(/^# TYPE (clientele_\w+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`)
  const rows = [...section('Metrics').matchAll(/^\| `(clientele_\w+)` \|[^|]*\| (\w+) \|/gm)]
  assert.equal(rows.map(([, name, type]) => `${name} ${type}`).sort(), types.sort())
})

Documented('alerts on metrics that there are', async () => {
  const text = await createMetrics().read()
  const alerts = section('Metrics').split('```yaml')[1]?.split('```')[0] ?? ''
  const named = [...alerts.matchAll(/clientele_\w+/g)].map(([name]) => name.replace(/_bucket$/, ''))
  assert.ok(named.length >= 8)
  for (const name of named) assert.match(text, `# TYPE ${name} `)
})

Documented.run()
