import { clientStates, doors } from '@clientele/domain'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { committed } from './committed.js'
import { lifeCycleDocument } from './life-cycle-document.js'

const document = suite('life cycle document')

document('docs/life-cycle.md is what the table says', () => {
  assert.ok(committed('life-cycle.md') === lifeCycleDocument(), 'docs/life-cycle.md is stale: npm run generate')
})

document('every state has a row in both tables, and every door a column with a text', () => {
  for (const state of clientStates) {
    const rows = lifeCycleDocument()
      .split('\n')
      .filter((line) => line.startsWith(`| ${state} |`))
    assert.is(rows.length, 2, state)
    const cells =
      rows[1]
        ?.split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()) ?? []
    assert.is(cells.length, doors.length + 1, state)
    assert.ok(
      cells.every((cell) => cell !== ''),
      state,
    )
  }
})

document.run()
