import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

// docs/reviewed.md names a test or a decision for every finding, and the test exists at its place.
const root = fileURLToPath(new URL('../..', import.meta.url))
const text = readFileSync(join(root, 'docs/reviewed.md'), 'utf8')

type Row = { readonly finding: string; readonly record: string; readonly test: string }

const rows: ReadonlyArray<Row> = [...text.matchAll(/^\|(.*)\|$/gm)]
  .map(([, line = '']) => line.split('|').map((cell) => cell.trim()))
  .filter(([id = '', found = '']) => !/^-/.test(id) && found !== 'found')
  .map(([id = '', found = '', record = '', test = '']) => ({ finding: `${id} ${found}`, record, test }))

const reviewed = suite('docs/reviewed.md')

const numbered = (letter: string, count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => `${letter}${index + 1}`)

reviewed('it has a row for every finding', () => {
  const ids = rows.flatMap(({ finding }) => finding.match(/^(?:[SFN]\d+\w?(?:, )?)+/)?.[0].split(', ') ?? [])
  const info = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((letter) => `S23${letter}`)
  assert.equal([...ids].sort(), [...numbered('S', 22), ...info, ...numbered('F', 13), ...numbered('N', 25)].sort())
})

for (const { finding, record, test } of rows)
  reviewed(finding, () => {
    const named = [...test.matchAll(/`([\w./-]+)`((?:[^`"]*"[^"]+")+)/g)]
    assert.not.match(test, /TODO/)
    assert.ok(named.length > 0 || /decisions\/\d{4}-/.test(record), 'neither a test nor a decision')
    for (const [, path = '', titles = ''] of named) {
      assert.ok(existsSync(join(root, path)), path)
      const tests = readFileSync(join(root, path), 'utf8')
      for (const [, title = ''] of titles.matchAll(/"([^"]+)"/g)) assert.ok(tests.includes(title), `${path}: ${title}`)
    }
  })

reviewed.run()
