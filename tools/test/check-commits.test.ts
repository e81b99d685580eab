import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

// A new repository, whose first commit stands for the last one that is not checked.
const tools = fileURLToPath(new URL('..', import.meta.url))

const CheckCommits = suite<{ folder: string }>('check of commits')

const git = (folder: string, ...args: ReadonlyArray<string>): string => {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@rp.example', '-c', 'commit.gpgsign=false']
  const { status, stdout, stderr } = spawnSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8' })
  assert.is(status, 0, stderr)
  return stdout.trim()
}

CheckCommits.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'clientele-commits-'))
  mkdirSync(join(context.folder, 'packages'))
  for (const name of ['check-commits.mjs', 'packages.mjs'])
    cpSync(join(tools, name), join(context.folder, 'tools', name))
})
CheckCommits.after.each(({ folder }) => rmSync(folder, { recursive: true }))

const commit = (folder: string, subject: string): string => {
  git(folder, 'commit', '--allow-empty', '--quiet', '--message', subject)
  return git(folder, 'rev-parse', 'HEAD')
}

const check = (folder: string) =>
  spawnSync(process.execPath, ['tools/check-commits.mjs'], { cwd: folder, encoding: 'utf8' })

const begin = (folder: string): void => {
  git(folder, 'init', '--quiet')
  const first = commit(folder, 'wip')
  const file = join(folder, 'tools/check-commits.mjs')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/'[0-9a-f]{40}'/, `'${first}'`))
}

CheckCommits('subjects that give the intent in 72 characters pass', ({ folder }) => {
  begin(folder)
  commit(folder, 'a'.repeat(72))
  commit(folder, 'Letters are read as UTF-8')
  const { status, stdout } = check(folder)
  assert.is(status, 0, stdout)
})

for (const [subject, fault] of [
  ['a'.repeat(73), 'has 73 characters'],
  ['Misc changes', 'begins with "misc"'],
  ['fixup! Letters', 'begins with "fixup!"'],
] as const)
  CheckCommits(`the subject "${subject}" is a fault`, ({ folder }) => {
    begin(folder)
    commit(folder, subject)
    const { status, stdout } = check(folder)
    assert.is(status, 1)
    assert.match(stdout, fault)
  })

CheckCommits('nothing is checked where the history is not known', ({ folder }) => {
  git(folder, 'init', '--quiet')
  commit(folder, 'wip')
  const { status, stdout } = check(folder)
  assert.is(status, 0)
  assert.match(stdout, 'skipped')
})

CheckCommits.run()
