// Runs test files. uvu passes silently for a file without .run() and for a pattern without a match: here both are
// failures.
//   npm run test:one -- PART_OF_A_PATH …   the files whose path contains a word, from their sources
//   npm run watch -- PART_OF_A_PATH …      the same, again after each change
//   node tools/run-tests.mjs --tier all    the files of a tier: tools/tiers.mjs
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleTests } from './bundle-tests.mjs'
import { tierOf as tierOfPath, tiers } from './tiers.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))
/** The tier of a test file. */
export const tierOf = (file) => tierOfPath(relative(root, file))
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

// A file that says nothing for so long hangs. A test that passes prints a sign, so that a file of many may take longer.
const limit = Number(process.env.TEST_LIMIT ?? 420) * 1000

const leftOut = ['node_modules', 'dist', '.git', '.stryker-tmp']

export const testFiles = (folder = root) =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !leftOut.includes(name))
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

const spawnRunner = (folder, scripts) => {
  const loader = scripts.some((script) => script.endsWith('.ts')) ? ['--import', 'tsx'] : ['--enable-source-maps']
  return spawn(process.execPath, [...loader, '--conditions=@clientele/source', runner, ...scripts], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  })
}

const failure = (file, output, seconds = 0) => ({ file, passed: 0, failed: 1, skipped: 0, output, seconds })

const why = (code, late) => {
  if (late) return `ended after ${limit / 1000} s without a test that passed`
  return code === 0 ? 'the process ended early' : `the process ended with ${code}`
}

/**
 * Runs the scripts in one process, and tells the result of each: the passed, failed and skipped tests. Resolves with the
 * scripts that were not reached, because the process ended before. A file without any test has failed.
 */
const runBatch = (folder, batch, tell) =>
  new Promise((resolve) => {
    const scripts = batch.map(({ script }) => script)
    const child = spawnRunner(folder, scripts)
    running.add(child)
    const waiting = [...batch]
    let began = performance.now()
    let output = ''
    let late = false
    let hasFailed = false
    let timer
    let ending
    const watch = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        late = true
        end(child)
      }, limit)
    }
    watch()
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
        watch()
      })
    child.on('message', ({ passed, failed, skipped, errors }) => {
      const { file } = waiting.shift()
      const seconds = (performance.now() - began) / 1000
      // A file whose tests are all skipped, for example without a browser, does have tests.
      const isSilent = passed + failed + skipped === 0 && errors.length === 0
      const said = isSilent ? 'no test ran: does the file end with .run()?' : errors.join('\n')
      const faults = Math.max(failed, isSilent || errors.length > 0 ? 1 : 0)
      hasFailed ||= faults > 0
      tell({ file, passed, failed: faults, skipped, output: `${output}\n${said}`, seconds })
      output = ''
      began = performance.now()
      watch()
    })
    // What a failed test started goes on otherwise, and holds the output open.
    child.on('exit', () => (ending = setTimeout(end, 1000, child)))
    child.on('close', (code) => {
      running.delete(child)
      clearTimeout(timer)
      clearTimeout(ending)
      const [first, ...others] = waiting
      const seconds = (performance.now() - began) / 1000
      if (first !== undefined) tell(failure(first.file, `${output}\n${why(code, late)}`, seconds))
      else if (!hasFailed && (late || code !== 0)) {
        // All tests passed, and something that one of the files left behind did not.
        const names = batch.map(({ file }) => relative(root, file)).join(', ')
        tell(failure(batch.at(-1).file, `${output}\n${why(code, late)}, after the tests of ${names}`, seconds))
      }
      resolve(others)
    })
  })

const report = ({ file, passed, failed, skipped, output, seconds }) => {
  const outcome = failed === 0 ? 'ok    ' : 'FAILED'
  const some = skipped > 0 ? ` (${skipped} skipped)` : ''
  console.log(`${outcome}  ${relative(root, file)}  ${passed}${some}  ${seconds.toFixed(1)} s`)
  if (failed > 0) console.log(output.replace(/^/gm, '    '))
  else for (const [line] of output.matchAll(/^measured: .*$/gm)) console.log(`        ${line}`)
}

const compileFiles = async (files) => {
  const folders = [...new Set(files.map(packageOf))]
  const compiled = await Promise.all(
    folders.map(async (folder) => {
      const own = await bundleTests(
        folder,
        files.filter((file) => packageOf(file) === folder),
      )
      return own.map(([file, script]) => ({ file, folder, ...script }))
    }),
  )
  return compiled.flat()
}

// A process for each of these would take longer than their tests.
const batchSize = 16

/** The files of `npm test` share processes, the others have each its own. Those that wait for other programs come first. */
const batchesOf = (compiled) => {
  const alone = compiled.filter(({ file }) => tierOf(file) !== 'quick').map((each) => [each])
  const together = compiled.filter(({ file }) => tierOf(file) === 'quick')
  // The kit comes first, because its files take longest.
  const folders = [...new Set(together.map(({ folder }) => folder))].reverse()
  const shared = folders.flatMap((folder) => {
    const own = together.filter((each) => each.folder === folder)
    const count = Math.ceil(own.length / batchSize)
    return Array.from({ length: count }, (_, place) => own.filter((_each, index) => index % count === place))
  })
  return [...alone, ...shared]
}

/** Runs the files, from their sources or bundled, and reports each; the sums, and the results. */
export const runFiles = async (files, { isBundled = true } = {}) => {
  const began = performance.now()
  const compiled = isBundled
    ? await compileFiles(files)
    : files.map((file) => ({ file, folder: packageOf(file), script: file }))
  if (isBundled) console.log(`ok      tests compiled  ${((performance.now() - began) / 1000).toFixed(1)} s`)
  const results = []
  const tell = (result) => {
    report(result)
    results.push(result)
  }
  for (const { file, problem } of compiled) if (problem !== undefined) tell(failure(file, problem))
  const batches = batchesOf(compiled.filter(({ problem }) => problem === undefined))
  const work = async () => {
    for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
      const [{ folder }] = batch
      const others = await runBatch(folder, batch, tell)
      if (others.length > 0) batches.unshift(others)
    }
  }
  // Two more than there are processors, because many wait.
  await Promise.all(Array.from({ length: availableParallelism() + 2 }, work))
  const sum = (key) => results.reduce((all, result) => all + result[key], 0)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped'), results }
}

const slowest = 10

/** The slowest files, what was not run, and the sums in the last line. */
export const conclude = ({ passed, failed, skipped, results }, notRun = []) => {
  if (results.length > slowest) {
    console.log('\nThe slowest files:')
    for (const { file, seconds } of [...results].sort((one, other) => other.seconds - one.seconds).slice(0, slowest))
      console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${relative(root, file)}`)
  }
  for (const each of notRun) console.log(`not run here: ${each}`)
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0
}

/** The files whose path contains one of the patterns; a pattern without a match is a failure. */
const select = (files, patterns) => {
  const unmatched = patterns.filter((pattern) => !files.some((file) => relative(root, file).includes(pattern)))
  for (const pattern of unmatched) console.log(`FAILED  no test file matches ${pattern}`)
  const selected = files.filter(
    (file) => patterns.length === 0 || patterns.some((pattern) => relative(root, file).includes(pattern)),
  )
  return { selected, unmatched: unmatched.length }
}

export const ofTier = (...names) => testFiles().filter((file) => names.includes(tierOf(file)))

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const given = process.argv.slice(2)
  if (given[0] === '--tier') {
    const unknown = given.slice(1).filter((name) => !tiers.includes(name))
    if (unknown.length > 0) throw new Error(`there are the tiers ${tiers.join(', ')}`)
    conclude(await runFiles(ofTier(...given.slice(1))))
  } else {
    const { selected, unmatched } = select(testFiles(process.env.TEST_ROOT ?? root), given)
    const result = await runFiles(selected, { isBundled: selected.length > batchSize })
    conclude({ ...result, failed: result.failed + unmatched })
  }
}
