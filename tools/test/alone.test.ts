import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

// Each package in a folder of its own, with the tarballs of those that it names and theirs, and nothing else.
const Alone = suite<{ folder: string; tarballs: Readonly<Record<string, string>> }>('a package alone')

const { pack } = await import(new URL('../pack.mjs', import.meta.url).href)
const { packages } = await import(new URL('../packages.mjs', import.meta.url).href)

type Package = {
  readonly name: string
  readonly manifest: {
    readonly exports: Readonly<Record<string, unknown>>
    readonly dependencies?: Readonly<Record<string, string>>
  }
}

const named: ReadonlyArray<Package> = packages
const prefix = '@clientele/'

/** The package and those that it needs, by the names of their folders. */
const withNeeded = (name: string): ReadonlyArray<string> => {
  const { dependencies = {} } = named.find((each) => each.name === name)?.manifest ?? {}
  const own = Object.keys(dependencies).filter((each) => each.startsWith(prefix))
  return [...new Set([name, ...own.flatMap((each) => withNeeded(each.slice(prefix.length)))])]
}

const execute = promisify(execFile)
const native = 'node_modules/better-sqlite3/build'
const compiled = fileURLToPath(new URL(`../../packages/adapters-sqlite/${native}`, import.meta.url))

Alone.before((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'clientele-alone-'))
  context.tarballs = pack(context.folder)
})
Alone.after(({ folder }) => rmSync(folder, { recursive: true }))

for (const { name, manifest } of named)
  Alone(`${name} is installed, and each of its entry points is imported`, async ({ folder, tarballs }) => {
    const cwd = join(folder, name)
    mkdirSync(cwd)
    writeFileSync(join(cwd, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
    const files = withNeeded(name).map((each) => String(tarballs[each]))
    const quietly = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline']
    await execute('npm', ['install', ...quietly, ...files], { cwd, timeout: 240_000 })
    // The workspace has compiled the database already, because that takes a minute.
    if (existsSync(join(cwd, 'node_modules/better-sqlite3'))) cpSync(compiled, join(cwd, native), { recursive: true })
    const doors = Object.keys(manifest.exports).map((door) => `${prefix}${name}${door.slice(1)}`)
    const program = `for (const door of ${JSON.stringify(doors)}) console.log(door, typeof (await import(door)))`
    const { stdout } = await execute(process.execPath, ['--input-type=module', '--eval', program], { cwd })
    assert.equal(
      stdout.trim().split('\n'),
      doors.map((door) => `${door} object`),
    )
  })

Alone.run()
