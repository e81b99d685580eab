// Packs every package as it would be published: node tools/pack.mjs FOLDER leaves the tarballs there, which npm installs, and
// node tools/pack.mjs --write renews tools/packed/, which tells what is in them.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from './build.mjs'
import { pnpm } from './pnpm.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const outputs = /\.(?:d\.ts|js)(?:\.map)?$/

// tsc leaves behind what it made of a source that is gone.
const removeStale = (folder) => {
  const dist = join(folder, 'dist')
  for (const name of readdirSync(dist, { recursive: true }))
    if (outputs.test(name) && !existsSync(join(folder, 'src', name.replace(outputs, '.ts')))) rmSync(join(dist, name))
}

/** The tarballs, by the names of the packages' folders. */
export const pack = (destination) => {
  build()
  for (const name of readdirSync(join(root, 'packages'))) removeStale(join(root, 'packages', name))
  const args = ['--recursive', '--filter', './packages/*', 'pack', '--pack-destination', destination]
  const { status, stdout, stderr } = pnpm(args, { stdio: 'pipe', encoding: 'utf8' })
  if (status !== 0) throw new Error(`the packages cannot be packed: ${stdout}${stderr}`)
  return Object.fromEntries(
    readdirSync(destination).map((file) => [/^clientele-(.+)-\d/.exec(file)[1], join(destination, file)]),
  )
}

const compiled = 'src/**/*.ts, and of each the four in dist/: .js, .d.ts and their .map'
const endings = ['.js', '.js.map', '.d.ts', '.d.ts.map']

/** What a tarball holds: a source with all that is compiled of it is told in one line with the others. */
export const contents = (tarball) => {
  const { stdout } = spawnSync('tar', ['-tzf', tarball], { encoding: 'utf8' })
  const files = stdout
    .trim()
    .split('\n')
    .map((name) => name.replace(/^package\//, ''))
    // The hash of a part of the bundle changes with what is in it.
    .map((name) => name.replace(/^(bin\/.+-)[A-Z0-9]{8}\.js$/, '$1*.js'))
  const all = new Set(files)
  const whole = files
    .filter((name) => /^src\/.+\.ts$/.test(name))
    .map((name) => [name, ...endings.map((ending) => name.replace(/^src/, 'dist').replace(/\.ts$/, ending))])
    .filter((group) => group.every((name) => all.has(name)))
  const told = new Set(whole.flat())
  const others = files.filter((name) => !told.has(name)).sort()
  return `${[...others, ...(whole.length === 0 ? [] : [compiled])].join('\n')}\n`
}

const isProgram = process.argv[1] === fileURLToPath(import.meta.url)
const [, , given] = process.argv

if (isProgram && given === '--write') {
  const destination = mkdtempSync(join(tmpdir(), 'clientele-packed-'))
  mkdirSync(join(root, 'tools/packed'), { recursive: true })
  for (const [name, tarball] of Object.entries(pack(destination)))
    writeFileSync(join(root, `tools/packed/${name}.txt`), contents(tarball))
  rmSync(destination, { recursive: true })
} else if (isProgram && given !== undefined) {
  mkdirSync(given, { recursive: true })
  for (const tarball of Object.values(pack(resolve(given)))) console.log(tarball)
} else if (isProgram) {
  console.error('say where the tarballs go: node tools/pack.mjs FOLDER')
  process.exitCode = 1
}
