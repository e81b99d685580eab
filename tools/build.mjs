// Compiles the packages, and bundles the playground's page and the service, unless the results are newer than every
// source. With --service, it only bundles.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install, installService } from './install.mjs'
import { packages, root } from './packages.mjs'

const age = (path) => statSync(path).mtimeMs

// Folders count as well, so that removed files are noticed.
const newest = (folder) =>
  readdirSync(folder, { recursive: true }).reduce(
    (latest, name) => Math.max(latest, age(join(folder, name))),
    age(folder),
  )

const settings = ['pnpm-lock.yaml', 'tsconfig.json', 'tsconfig.base.json'].map((name) => join(root, name))
const sources = packages.flatMap(({ folder }) => [join(folder, 'src'), join(folder, 'tsconfig.json')])

// The page of the playground comes first, because the service serves it.
const makers = ['packages/playground/build.mjs', 'packages/app/build.mjs'].map((name) => join(root, name))

const bundling = {
  // Written only after a step without errors.
  stamp: join(root, 'packages/app/bin/.built'),
  inputs: makers,
  outputs: ['packages/playground/dist/index.html', 'packages/app/bin/clientele.js'].map((name) => join(root, name)),
  commands: () => makers.map((maker) => [maker]),
}

const compiling = {
  // tsc writes its own records after errors, too.
  stamp: join(root, 'packages/app/dist/.built'),
  inputs: [],
  outputs: packages.map(({ folder }) => join(folder, 'dist/index.js')),
  commands: ({ stamp }) => {
    // tsc writes changed files only, although settings may affect all of its output.
    const haveSettingsChanged = !existsSync(stamp) || settings.some((file) => age(file) > age(stamp))
    const tsc = join(root, 'tools/node_modules/typescript-7/bin/tsc')
    return [[tsc, '--build', ...(haveSettingsChanged ? ['--force'] : []), ...packages.map(({ folder }) => folder)]]
  },
  after: () => packages.forEach(removeLeftOver),
}

// tsc leaves the results of sources that were removed, and programs that import them would run old code.
const removeLeftOver = ({ folder }) => {
  const results = readdirSync(join(folder, 'dist'), { recursive: true })
  for (const name of results) {
    const source = name.replace(/\.(d\.ts|js)(\.map)?$/, '.ts')
    if (source !== name && !existsSync(join(folder, 'src', source))) rmSync(join(folder, 'dist', name))
  }
}

const isDone = ({ stamp, inputs, outputs }) => {
  if (![stamp, ...outputs].every((file) => existsSync(file))) return false
  const changed = sources.map((path) => (statSync(path).isDirectory() ? newest(path) : age(path)))
  return Math.max(...[...settings, ...inputs].map(age), ...changed) <= age(stamp)
}

const run = (step) => {
  const began = new Date()
  for (const args of step.commands(step)) {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    if (status !== 0) return { passed: false, output: stdout + stderr }
    if (stdout !== '') console.error(stdout.trimEnd())
  }
  step.after?.()
  mkdirSync(dirname(step.stamp), { recursive: true })
  writeFileSync(step.stamp, '')
  // The time of the start, so that files that were edited during the build are newer.
  utimesSync(step.stamp, began, began)
  return { passed: true, output: '' }
}

const runAll = (steps) => {
  const due = steps.filter((step) => !isDone(step))
  if (due.length > 0) console.error('building')
  return due.reduce((result, step) => (result.passed ? run(step) : result), { passed: true, output: '' })
}

/** Installs and compiles as needed; returns the errors if there are any. */
export const compile = () => {
  install()
  return runAll([compiling, bundling])
}

/** Installs and bundles the service as needed; returns the errors if there are any. */
export const compileService = () => {
  installService()
  return runAll([bundling])
}

const orExit = ({ passed, output }) => {
  if (passed) return
  console.error(output)
  process.exit(1)
}

export const build = () => orExit(compile())

if (process.argv[1] === fileURLToPath(import.meta.url))
  orExit(process.argv.includes('--service') ? compileService() : compile())
