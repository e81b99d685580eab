// Compiles the packages and bundles the playground's page and the service, unless the results are newer than every
// source.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install } from './install.mjs'
import { packages, root } from './packages.mjs'

// The page of the playground comes first, because the service serves it.
const bundles = [
  { maker: join(root, 'packages/playground/build.mjs'), file: join(root, 'packages/playground/dist/index.html') },
  { maker: join(root, 'packages/app/build.mjs'), file: join(root, 'packages/app/bin/clientele.js') },
]

const age = (path) => statSync(path).mtimeMs

// Folders count as well, so that removed files are noticed.
const newest = (folder) =>
  readdirSync(folder, { recursive: true }).reduce(
    (latest, name) => Math.max(latest, age(join(folder, name))),
    age(folder),
  )

// Written only after a build without errors, because tsc writes its own records after errors, too.
const stamp = join(root, 'packages/app/dist/.built')
const settings = ['pnpm-lock.yaml', 'tsconfig.json', 'tsconfig.base.json'].map((name) => join(root, name))

// tsc writes changed files only, although settings may affect all of its output.
const haveSettingsChanged = () => !existsSync(stamp) || settings.some((file) => age(file) > age(stamp))

const isBuilt = () => {
  const outputs = [
    stamp,
    ...bundles.map(({ file }) => file),
    ...packages.map(({ folder }) => join(folder, 'dist/index.js')),
  ]
  if (!outputs.every((file) => existsSync(file))) return false
  const inputs = [
    ...settings.map(age),
    ...bundles.map(({ maker }) => age(maker)),
    ...packages.flatMap(({ folder }) => [newest(join(folder, 'src')), age(join(folder, 'tsconfig.json'))]),
  ]
  return Math.max(...inputs) <= age(stamp)
}

/** Installs and compiles as needed; returns the errors if there are any. */
export const compile = () => {
  install()
  if (isBuilt()) return { passed: true, output: '' }
  console.error('building')
  const began = new Date()
  const tsc = join(root, 'tools/node_modules/typescript/bin/tsc')
  for (const args of [
    [tsc, '--build', ...(haveSettingsChanged() ? ['--force'] : []), ...packages.map(({ folder }) => folder)],
    ...bundles.map(({ maker }) => [maker]),
  ]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    if (status !== 0) return { passed: false, output: stdout + stderr }
    if (stdout !== '') console.error(stdout.trimEnd())
  }
  writeFileSync(stamp, '')
  // The time of the start, so that files that were edited during the build are newer.
  utimesSync(stamp, began, began)
  return { passed: true, output: '' }
}

export const build = () => {
  const { passed, output } = compile()
  if (passed) return
  console.error(output)
  process.exit(1)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build()
