// The three checks: `npm test`, `npm run test:all` (--all) and `npm run nightly` (--nightly). CONTRIBUTING.md says what
// each holds. The last line is `N passed, N failed, N skipped`: a step that is no test file counts as one.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile, compileService } from './build.mjs'
import { install } from './install.mjs'
import { root } from './packages.mjs'

install()
const { conclude, ofTier, runFiles } = await import('./run-tests.mjs')

const tool = (path, ...args) => [join('tools/node_modules', path), ...args]
// A file is linted anew when it or the rules change; CI starts without a cache, and lints by types of other files as well.
const rules = createHash('sha256')
  .update(readFileSync(join(root, 'eslint.config.js')))
  .digest('hex')
  .slice(0, 8)
const cached = ['--cache', '--cache-location', `node_modules/.cache/eslint-${rules}`, '--cache-strategy', 'content']

const steps = {
  lint: tool('eslint/bin/eslint.js', ...cached),
  types: tool('typescript-7/bin/tsc', '--build'),
  boundaries: tool('dependency-cruiser/bin/dependency-cruise.mjs', 'packages'),
  unused: tool('knip/bin/knip.js', '--no-progress', '--no-config-hints'),
  documents: ['tools/check-docs.mjs'],
}

const format = tool('prettier/bin/prettier.cjs', '--log-level', 'warn', '--check', '--cache', '.')

const outcomes = { passed: 0, failed: 0, skipped: 0 }
const began = performance.now()

const secondsSince = (start) => `${((performance.now() - start) / 1000).toFixed(1)} s`

const report = (name, hasPassed, start, output = '') => {
  outcomes[hasPassed ? 'passed' : 'failed'] += 1
  console.log(`${hasPassed ? 'ok    ' : 'FAILED'}  ${name}  ${secondsSince(start)}`)
  if (!hasPassed) console.log(output.replace(/^/gm, '    '))
}

const bundle = (make) => {
  const start = performance.now()
  const { passed, output } = make()
  report('bundle', passed, start, output)
}

const hour = 3_600_000

const execute = (args, { env = {}, cwd = root, isShown = false, timeout = hour / 4 } = {}) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd,
      timeout,
      killSignal: 'SIGKILL',
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
        if (isShown) process.stdout.write(chunk)
      })
    // What a step started may outlive it, and hold its output open.
    const letGo = () => [child.stdout, child.stderr].forEach((stream) => stream.destroy())
    let ending
    child.on('exit', () => (ending = setTimeout(letGo, 1000)))
    child.on('close', (code, signal) => {
      clearTimeout(ending)
      resolve({ code, output: `${output}\n${signal ?? ''}` })
    })
  })

const run = async (name, args, options) => {
  const start = performance.now()
  const { code, output } = await execute(args, options)
  report(name, code === 0, start, output)
}

// Two at a time, because every step needs the memory of a compiler or a parser.
const runSteps = async () => {
  const waiting = Object.entries(steps)
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await run(...next)
  }
  await Promise.all([work(), work()])
}

const add = ({ passed, failed, skipped }) => {
  outcomes.passed += passed
  outcomes.failed += failed
  outcomes.skipped += skipped
}

/** A program that counts its own tests in its last line. */
const runCounted = async (name, args, env) => {
  const start = performance.now()
  const { code, output } = await execute(args, { env, isShown: true })
  const [, passed, failed, skipped] = /(\d+) passed, (\d+) failed, (\d+) skipped\s*$/.exec(output) ?? []
  if (passed === undefined || (code !== 0 && failed === '0')) report(name, false, start, 'it told no result')
  else add({ passed: Number(passed), failed: Number(failed), skipped: Number(skipped) })
}

const git = (...args) => {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e9 })
  if (status !== 0) throw new Error(`git ${args.join(' ')} is needed to see what changed: ${stderr}`)
  return stdout
}
const changed = () => git('diff') + git('status', '--porcelain', '--untracked-files=all')

/** The one check of what is generated: it is made anew, and nothing changes. */
const generated = async () => {
  const start = performance.now()
  const before = changed()
  const { code, output } = await execute(['tools/generate.mjs'])
  const isSame = before === changed()
  const fault = `npm run generate changed files: commit them\n${changed()}`
  report('generated', code === 0 && isSame, start, isSame ? output : fault)
}

const hasProperties = (file) => /fast-check|\blaw\(|checkLaw|[cC]ontract/.test(readFileSync(file, 'utf8'))
const set = (name, value) => (process.env[name] ??= value)

const tests = async (files) => {
  const ran = await runFiles(files)
  add(ran)
  if (files.length === 0) report('tests', false, performance.now(), 'there are no test files')
  return ran.results
}

const nightlyRest =
  'npm run nightly (behind PgBouncer, Patroni, serializable, planted models, next release, faults, mutation)'
const allRest =
  'npm run test:all (100 cases a property, PostgreSQL, browsers, Apache, processes, conformance, the hour of a stranger, runtimes)'

const checks = {
  quick: async () => {
    set('PROPERTY_RUNS', '25')
    bundle(compileService)
    // Side by side, because the steps compute and many tests wait.
    const [results] = await Promise.all([tests(ofTier('quick')), runSteps()])
    return { results, notRun: [allRest, nightlyRest] }
  },
  all: async () => {
    set('PROPERTY_RUNS', '100')
    bundle(compile)
    await run('format', format)
    await generated()
    const results = await tests([...ofTier('all'), ...ofTier('quick').filter(hasProperties)])
    await runCounted('runtimes', ['tools/runtimes/run.mjs'], { PROPERTY_RUNS: '25' })
    return { results, notRun: ['npm test (the steps before its tests, and its tests without properties)', nightlyRest] }
  },
  nightly: async () => {
    set('PROPERTY_RUNS', '200')
    bundle(compile)
    const results = await tests(ofTier('nightly'))
    const endure = ['--import', 'tsx', '--conditions=@clientele/source', 'test/endure/main.ts']
    await run('endure', endure, { cwd: join(root, 'packages/app'), timeout: hour })
    await run('mutation', ['tools/mutation/mutate.mjs'], { env: { PROPERTY_RUNS: '30' }, timeout: 6 * hour })
    return { results, notRun: ['npm test', 'npm run test:all'] }
  },
}

const [, , flag = '--quick'] = process.argv
const { results, notRun } = await checks[flag.slice(2)]()
console.log(`\nin ${secondsSince(began)}`)
conclude({ ...outcomes, results }, notRun)
