import { spawnSync } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Copy, copyTree } from './support/copied-tree.js'

// The check of the documents fails on each fault, which is planted in a copy of the tree.
const CheckDocs = suite<{ copy: Copy }>('check of documents')

CheckDocs.before((context) => {
  context.copy = copyTree()
})
CheckDocs.after(({ copy }) => copy.remove())

const check = ({ folder }: Copy) =>
  spawnSync(process.execPath, ['tools/check-docs.mjs'], { cwd: folder, encoding: 'utf8' })

const faults: Readonly<Record<string, string>> = {
  '[a file](nowhere.md)': 'the link to nowhere.md leads nowhere',
  '[a heading](keys.md#nowhere)': 'the link to keys.md#nowhere leads nowhere',
  '[]()': 'the link []() is empty',
  '`packages/domain/src/nowhere.ts`': 'packages/domain/src/nowhere.ts does not exist',
  '`npm run nothing`': 'there is no script nothing',
}

CheckDocs('each fault is reported with its file', ({ copy }) => {
  writeFileSync(join(copy.folder, 'docs/planted.md'), `# Planted\n\n${Object.keys(faults).join('\n')}\n`)
  const { status, stdout } = check(copy)
  assert.is(status, 1)
  for (const fault of Object.values(faults)) assert.match(stdout, `docs/planted.md: ${fault}`)
  assert.match(stdout, 'docs/README.md does not list docs/planted.md')
})

CheckDocs('an index of decisions that is not that of the records is stale', ({ copy }) => {
  appendFileSync(join(copy.folder, 'docs/decisions/README.md'), '- another\n')
  assert.match(check(copy).stdout, 'docs/decisions/README.md is stale')
})

CheckDocs('a record without a status is reported', ({ copy }) => {
  writeFileSync(join(copy.folder, 'docs/decisions/9999-planted.md'), '# Planted\n\n**Context.** None.\n')
  assert.match(check(copy).stdout, 'docs/decisions/9999-planted.md: below its title stands no "Status: Accepted.')
})

CheckDocs.run()
