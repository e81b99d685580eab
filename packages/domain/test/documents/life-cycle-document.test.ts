import { answersToDocuments, clientStates, documentStates, doors } from '@clientele/domain/life-cycle'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { lifeCycleDocument } from './life-cycle-document.js'

const document = suite('life cycle document')

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

document('every state of a document has a row, with a text for every door', () => {
  const [, section = ''] = lifeCycleDocument().split('### Clients with a metadata document')
  const rows = (section.split('\n### ')[0] ?? '').split('\n').filter((line) => /^\| (?!document)/.test(line))
  assert.is(rows.length, documentStates.length)
  for (const row of rows) {
    const cells = row.split('|').slice(1, -1)
    assert.is(cells.length, doors.length + 1, row)
    assert.ok(
      cells.every((cell) => cell.trim() !== ''),
      row,
    )
  }
})

document('a document has no effect at the endpoint of tokens where it has none at that of authorization', () => {
  for (const state of documentStates) {
    const { authorize, token } = answersToDocuments[state]
    assert.is(authorize === 'page' && token === 'answered', false, state)
  }
})

document.run()
