import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const DomainLines = suite('lines of the domain')
const root = fileURLToPath(new URL('../../', import.meta.url))

const isCode = (line: string): boolean => line.trim() !== '' && !/^\s*(\/\/|\/?\*)/.test(line)

const linesOf = (file: string): number => readFileSync(join(root, file), 'utf8').split('\n').filter(isCode).length

// Blank lines and comments do not count, so that a comment costs nothing. No file is exempt.
DomainLines('the domain has 15,500 lines of code at most', () => {
  const tracked = execFileSync('git', ['ls-files', 'packages/domain/src'], { cwd: root, encoding: 'utf8' })
  const files = tracked.split('\n').filter((file) => file.endsWith('.ts'))
  assert.ok(files.length > 100)
  const lines = files.reduce((sum, file) => sum + linesOf(file), 0)
  assert.ok(lines <= 15_500, `the domain has ${lines} lines of code: delete what is not needed`)
})

DomainLines('blank lines and comments are not code', () => {
  assert.equal(['', '  ', '// a', '  /** a', '   * b', '   */', 'a // b', 'const a = b * c'].filter(isCode), [
    'a // b',
    'const a = b * c',
  ])
})

DomainLines.run()
