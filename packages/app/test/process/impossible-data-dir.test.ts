import type { ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { discard, newDataDir, launch } from '../support/service.js'

const impossible = suite('a data directory that cannot be used')

/** The exit code, or that the process did not end in time; it has ended afterwards. */
const ended = async (child: ChildProcess, exited: Promise<number | null>): Promise<number | null | 'no end'> => {
  const late = setTimeout(() => child.kill('SIGKILL'), 15_000)
  const code = await exited
  clearTimeout(late)
  return child.signalCode === 'SIGKILL' ? 'no end' : code
}

impossible('one whose parent cannot be made ends the start with one line', async () => {
  const { child, exited, output } = launch([], { CLIENTELE_DATA_DIR: '/proc/nowhere/data', CLIENTELE_PORT: '0' })
  assert.is(await ended(child, exited), 1)
  assert.is(
    output().stderr,
    'clientele: the data directory /proc/nowhere/data cannot be made (no such file or directory, ENOENT): ' +
      'correct data-dir or its permissions\n',
  )
})

impossible('a file in its place is told to a command', async () => {
  const folder = newDataDir()
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const { exited, output } = launch(['keys', 'list'], { CLIENTELE_DATA_DIR: file })
  assert.is(await exited, 1)
  assert.is(output().stderr, `clientele: ${file} is a file: correct data-dir\n`)
  discard(folder)
})

impossible.run()
