// npm run watch [-- PART_OF_A_PATH …]: after each change, runs the test files that it concerns: a changed test file; for
// another file, the tests of its package with its name, else those in the folder of its name, else all quick ones. With
// words, always the files whose path contains one of them.
import { spawn } from 'node:child_process'
import { existsSync, watch } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { packages, root } from './packages.mjs'
import { testFiles, tierOf } from './run-tests.mjs'

const words = process.argv.slice(2)

const concerned = (file) => {
  if (file.endsWith('.test.ts')) return [file]
  const [, name, , ...inner] = relative(root, file).split('/')
  const own = testFiles(join(root, 'packages', name, 'test'))
  const stem = basename(file, '.ts')
  const named = own.filter((each) => basename(each) === `${stem}.test.ts`)
  if (named.length > 0) return named
  const near = own.filter((each) => each.includes(`/test/${dirname(inner.join('/'))}/`))
  return near.length > 0 ? near : own.filter((each) => tierOf(each) === 'quick')
}

const pending = new Set()
let isRunning = false

const run = () => {
  if (isRunning || pending.size === 0) return
  const selected = words.length > 0 ? words : [...pending].map((file) => relative(root, file))
  pending.clear()
  isRunning = true
  console.log(`\n${new Date().toLocaleTimeString()}  ${selected.join(' ')}`)
  const child = spawn(process.execPath, [join(root, 'tools/run-tests.mjs'), ...selected], { stdio: 'inherit' })
  child.on('close', () => {
    isRunning = false
    run()
  })
}

// An editor writes a file in several steps.
const settled = 100
let timer
for (const { folder } of packages)
  for (const part of ['src', 'test'].map((name) => join(folder, name)).filter((path) => existsSync(path)))
    watch(part, { recursive: true }, (_event, name) => {
      const file = join(part, String(name))
      if (!file.endsWith('.ts') || !existsSync(file)) return
      for (const each of concerned(file)) pending.add(each)
      clearTimeout(timer)
      timer = setTimeout(run, settled)
    })
console.log('waiting for a change')
if (words.length > 0) {
  pending.add(words[0])
  run()
}
