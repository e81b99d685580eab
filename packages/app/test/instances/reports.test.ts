import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Observed, healthReports, newWarnings } from '../../src/running/presence.js'

const Reports = suite('reports of announcements')

const agreed: Observed = { clock: 0, differences: [] }
const differing: Observed = { clock: 0, differences: [{ setting: 'base-url', ids: ['one', 'two'] }] }
const off = (clock: number): Observed => ({ clock, differences: [] })

Reports('nothing is reported where all agree', () => {
  assert.equal(healthReports(agreed), [])
  assert.equal(newWarnings(differing, agreed), [])
})

Reports('a warning is given once for each cause', () => {
  const text = 'base-url differs from one, two: give all instances the same values'
  assert.equal(newWarnings(agreed, differing), [text])
  assert.equal(newWarnings(differing, differing), [])
  assert.is(newWarnings(off(0), off(2_000)).length, 1)
  assert.is(newWarnings(off(2_000), off(2_900)).length, 0)
  assert.is(newWarnings(off(2_900), off(6_000)).length, 1)
})

Reports('a clock fails readiness only beyond the bound, and differing settings never do', () => {
  assert.equal(healthReports(off(-4_900)), [])
  assert.equal(healthReports(off(-7_250)), [
    {
      name: 'clock',
      status: 'failed',
      detail: 'the clock of this machine is 7.3 seconds behind that of the database: synchronize both by NTP',
    },
  ])
  assert.equal(
    healthReports(differing).map(({ name, status }) => [name, status]),
    [['settings', 'ok']],
  )
})

Reports('an instance whose keys do not fit names the others, and the remedy', () => {
  const refusal = { error: 'others_cannot_open', ids: ['one', 'two'] } as const
  const [report] = healthReports({ ...agreed, refusal })
  assert.equal([report?.name, report?.status], ['encryption-key', 'failed'])
  assert.match(report?.detail ?? '', '2 running instances (one, two) cannot open')
})

Reports.run()
