import { spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { documents, packageReadmes, programsIn } from '../support/programs.js'

// Runs every program in a document on the built packages, and compares its output with the block below it.
const Programs = suite('programs in documents')

for (const { file, folder, text, output } of documents.flatMap(programsIn))
  Programs(`${file}: ${text.split('\n')[0]}`, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', text], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 60_000,
    })
    assert.is(status, 0, stdout + stderr)
    if (output !== undefined) assert.is(stdout, output)
  })

Programs('every README of a package has a program that shows its output', () => {
  for (const file of packageReadmes)
    assert.ok(
      programsIn(file).some(({ output }) => output !== undefined),
      file,
    )
})

Programs.run()
