// Runs every *.test.ts in a process of its own. uvu passes silently for a file without .run() and for a pattern without
// a match: here both are failures. `npm run test:one -- PART_OF_A_PATH …`; with --unbundled the files run from their
// sources, slower, so that `npm run coverage` counts their lines.
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleTests } from './bundle-tests.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const running = new Set()

// Ends the whole process group, because a test may have started processes of its own.
const end = (child) => {
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
  child.stdout.destroy()
  child.stderr.destroy()
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.once(signal, () => {
    running.forEach(end)
    process.exit(1)
  })

const limit = Number(process.env.TEST_LIMIT ?? 420) * 1000

export const testFiles = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !['node_modules', 'dist', '.git', '.stryker-tmp'].includes(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return testFiles(path)
      return entry.name.endsWith('.test.ts') ? [path] : []
    })
    .sort()

const packageOf = (file) => {
  const [top, name] = relative(root, file).split('/')
  return top === 'packages' ? join(root, top, name) : dirname(file)
}

const runner = fileURLToPath(new URL('run-file.mjs', import.meta.url))
const nothing = { passed: 0, failed: 0, skipped: 0 }

/** Runs the script of one file: the passed, failed and skipped tests. A file without any test has failed. */
const runFile = ({ file, script, problem }) =>
  new Promise((resolve) => {
    if (problem !== undefined) {
      resolve({ file, ...nothing, failed: 1, output: problem, seconds: 0 })
      return
    }
    const loader = script.endsWith('.ts') ? ['--import', 'tsx'] : ['--enable-source-maps']
    const child = spawn(process.execPath, [...loader, '--conditions=@clientele/source', runner, script], {
      cwd: packageOf(file),
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
    })
    running.add(child)
    const began = performance.now()
    let result = nothing
    let output = ''
    let late = false
    const timer = setTimeout(() => {
      late = true
      end(child)
    }, limit)
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.on('message', (message) => (result = message))
    child.on('close', (code) => {
      running.delete(child)
      clearTimeout(timer)
      const { passed, skipped } = result
      // A file whose tests are all skipped, for example without a browser, does have tests.
      const silent = passed + result.failed + skipped === 0
      const failed = Math.max(result.failed, code !== 0 || late || silent ? 1 : 0)
      if (silent && code === 0) output += '\nno test ran: does the file end with .run()?'
      if (late) output += `\nended after ${limit / 1000} s`
      resolve({ file, passed, failed, skipped, output, seconds: (performance.now() - began) / 1000 })
    })
  })

const report = ({ file, passed, failed, skipped, output, seconds }) => {
  const name = relative(root, file)
  console.log(
    `${failed === 0 ? 'ok    ' : 'FAILED'}  ${name}  ${passed}${skipped > 0 ? ` (${skipped} skipped)` : ''}  ${seconds.toFixed(1)} s`,
  )
  if (failed > 0) console.log(output.replace(/^/gm, '    '))
}

const compileFiles = async (files) => {
  const folders = [...new Set(files.map(packageOf))]
  const scripts = await Promise.all(
    folders.map((folder) =>
      bundleTests(
        folder,
        files.filter((file) => packageOf(file) === folder),
      ),
    ),
  )
  return scripts.flat().map(([file, compiled]) => ({ file, ...compiled }))
}

// Files that start processes or databases come first, because some take minutes; files that only compute come last.
const rankOf = (file) => {
  if (file.includes('/packages/domain/')) return 2
  return /\/(packages\/(app|adapters-postgresql)|tools)\//.test(file) ? 0 : 1
}
const byWaiting = ({ file: one }, { file: other }) => rankOf(one) - rankOf(other)

/** Runs the files, one more at a time than there are processors, because many wait; reports each. */
export const runFiles = async (files, isBundled = true) => {
  const began = performance.now()
  const compiled = isBundled ? await compileFiles(files) : files.map((file) => ({ file, script: file }))
  console.log(`ok      tests compiled  ${((performance.now() - began) / 1000).toFixed(1)} s`)
  const waiting = [...compiled].sort(byWaiting)
  const results = []
  const work = async (next) => {
    for (let file = next(); file !== undefined; file = next()) {
      const result = await runFile(file)
      report(result)
      results.push(result)
    }
  }
  // One worker starts with the computing files, so that the processors are busy while the others wait.
  await Promise.all([
    work(() => waiting.pop()),
    ...Array.from({ length: availableParallelism() }, () => work(() => waiting.shift())),
  ])
  const sum = (key) => results.reduce((all, result) => all + result[key], 0)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
}

export const conclude = ({ passed, failed, skipped }) => {
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
  process.exit(failed > 0 || passed === 0 ? 1 : 0)
}

/** The files whose path contains one of the patterns; a pattern without a match is a failure. */
export const select = (files, patterns) => {
  const unmatched = patterns.filter((pattern) => !files.some((file) => file.includes(pattern)))
  for (const pattern of unmatched) console.log(`FAILED  no test file matches ${pattern}`)
  const selected = files.filter((file) => patterns.length === 0 || patterns.some((pattern) => file.includes(pattern)))
  return { selected, unmatched: unmatched.length }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.env.TEST_ROOT ?? root
  const given = process.argv.slice(2)
  const { selected, unmatched } = select(
    testFiles(folder),
    given.filter((each) => each !== '--unbundled'),
  )
  const result = await runFiles(selected, !given.includes('--unbundled'))
  conclude({ ...result, failed: result.failed + unmatched })
}
