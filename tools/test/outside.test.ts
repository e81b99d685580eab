import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { packageReadmes, programsIn } from '../../packages/app/test/support/programs.js'

// Installs the packed domain, with its dependencies from the registry, in a folder outside of the workspace.
const domain = fileURLToPath(new URL('../../packages/domain/', import.meta.url))
const program = join(domain, 'examples/outside/program.mjs')

type Place = { folder: string; home: string; project: string }
const Outside = suite<Place>('a program outside the workspace')

const document = readFileSync(new URL('../../docs/reuse/rules.md', import.meta.url), 'utf8')
const packing = fileURLToPath(new URL('../pack.mjs', import.meta.url))

const run = ({ home, project }: Place, command: string, ...args: ReadonlyArray<string>) => {
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|node_options)/i.test(name))
  const env = { ...Object.fromEntries(own), HOME: home }
  return spawnSync(command, args, { cwd: project, env, encoding: 'utf8', timeout: 240_000 })
}

Outside.before((place) => {
  place.folder = mkdtempSync(join(tmpdir(), 'clientele-outside-'))
  for (const name of ['home', 'project'] as const) mkdirSync(join(place.folder, name))
  place.home = join(place.folder, 'home')
  place.project = join(place.folder, 'project')
})
Outside.after(({ folder }) => rmSync(folder, { recursive: true }))

Outside('is packed, and installed with npm, as docs/reuse/rules.md says', (place) => {
  const packed = run(place, process.execPath, packing, 'packed', '--sbom')
  assert.is(packed.status, 0, packed.stdout + packed.stderr)
  writeFileSync(join(place.project, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const [, reported = ''] = /`npm install ([^`]+)`/.exec(document) ?? []
  const { status, stdout, stderr } = run(place, 'sh', '-c', `npm install --no-audit --no-fund ${reported}`)
  assert.is(status, 0, stdout + stderr)
})

Outside('decides a registration and finds the hole in a rule, in less than 30 lines', (place) => {
  copyFileSync(program, join(place.project, 'program.mjs'))
  const { status, stdout, stderr } = run(place, process.execPath, 'program.mjs')
  assert.is(status, 0, stderr)
  const [registered, ...broken] = stdout.trim().split('\n')
  assert.is(registered, 'registered: authorization_code')
  assert.ok(
    broken.some((line) =>
      line.startsWith('broken: granted privileges permit exactly the sets that add nothing to them [{'),
    ),
    stdout,
  )
  assert.ok(readFileSync(program, 'utf8').trimEnd().split('\n').length < 30)
})

Outside('is required from a CommonJS module, too', (place) => {
  const { status, stdout, stderr } = run(place, process.execPath, '-p', `typeof require('@clientele/domain').permits`)
  assert.is(status, 0, stderr)
  assert.is(stdout.trim(), 'function')
})

Outside('finds no way into the files of the package', (place) => {
  const deep = `import('@clientele/domain/dist/index.js')`
  const { status, stderr } = run(place, process.execPath, '-e', deep)
  assert.is(status, 1)
  assert.match(stderr, 'ERR_PACKAGE_PATH_NOT_EXPORTED')
})

const typed = `import type { Privileges } from '@clientele/domain'
import { permits } from '@clientele/domain'
import { privileges } from '@clientele/testing'
export const reflexive = (held: Privileges): boolean => permits(held)(held)
export const arbitrary = privileges()
export const wrong: string = permits
`

const compiled = (place: Place, ...files: ReadonlyArray<string>): string => {
  const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url))
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom']
  return run(place, process.execPath, tsc, ...options, ...files).stdout
}

Outside('the program is what the declarations ask for', (place) => {
  // The example has parameters without types, as in JavaScript; `process` is Node's.
  writeFileSync(join(place.project, 'node.d.ts'), 'declare const process: { exit: (status: number) => never }')
  const given = ['--allowJs', '--checkJs', '--noImplicitAny', 'false', 'program.mjs', 'node.d.ts']
  assert.is(compiled(place, ...given), '')
})

Outside('reads the declarations as its compiler should', (place) => {
  writeFileSync(join(place.project, 'typed.ts'), typed)
  const stdout = compiled(place, 'typed.ts')
  assert.equal(
    stdout
      .trim()
      .split('\n')
      .map((line) => /^typed\.ts\((\d+)/.exec(line)?.[1])
      .filter((line) => line !== undefined),
    ['6'],
    stdout,
  )
  assert.not.match(stdout, 'node_modules/@clientele')
})

const plain = `import { type Client, type ClientMetadata, clientMetadata, decideRegistration } from '@clientele/domain/plain'
const issued = { client_id: 'my-client', client_secret: 's'.repeat(32), at: 0 }
const decided = decideRegistration({ body: {}, issued }, { lenient: true })
export const client: Client | string = decided.ok ? decided.client : decided.faults[0].text
const validated = clientMetadata['~standard'].validate({})
export const metadata: ClientMetadata | undefined = validated.issues === undefined ? validated.value : undefined
export const wrong: string = decided.ok
`

// Without skipLibCheck, and with every strict option that declarations may break.
for (const [module, resolution] of [
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
] as const)
  Outside(`the plain functions are typed in a strict project under ${resolution}`, (place) => {
    writeFileSync(join(place.project, 'plain.ts'), plain)
    const more = ['--module', module, '--moduleResolution', resolution, '--exactOptionalPropertyTypes']
    const stdout = compiled(
      place,
      ...more,
      '--noUncheckedIndexedAccess',
      '--noPropertyAccessFromIndexSignature',
      'plain.ts',
    )
    assert.equal(stdout.match(/^\S+\(\d+/gm), ['plain.ts(7'], stdout)
  })

const programs = packageReadmes
  .flatMap(programsIn)
  .map((program, place) => ({ ...program, name: `readme-${place}.mjs` }))

type Component = {
  readonly name: string
  readonly version: string
  readonly licenses?: ReadonlyArray<unknown>
  readonly hashes?: ReadonlyArray<{ readonly alg: string; readonly content: string }>
}

Outside('a bill of materials tells what is installed, with its licences', ({ project }) => {
  const sbom = JSON.parse(readFileSync(join(project, 'packed/clientele.cdx.json'), 'utf8'))
  assert.is(sbom.bomFormat, 'CycloneDX')
  const components = sbom.components as ReadonlyArray<Component>
  const names = components.map(({ name }) => name)
  for (const name of ['@clientele/app', '@clientele/domain', 'better-sqlite3', 'fp-ts', 'oidc-provider'])
    assert.ok(names.includes(name), name)
  assert.equal(
    components.filter(({ version, licenses = [] }) => version === '' || licenses.length === 0),
    [],
  )
  for (const tool of ['typescript', 'esbuild', 'eslint', 'better-auth']) assert.not(names.includes(tool), tool)
})

Outside('the bill of materials has the digest of each tarball', ({ project }) => {
  const { components } = JSON.parse(readFileSync(join(project, 'packed/clientele.cdx.json'), 'utf8')) as {
    readonly components: ReadonlyArray<Component>
  }
  const told = components.flatMap(({ hashes = [] }) => hashes.map(({ content }) => content))
  const tarballs = readdirSync(join(project, 'packed')).filter((name) => name.endsWith('.tgz'))
  assert.ok(tarballs.length > 10)
  for (const name of tarballs) {
    const digest = createHash('sha512').update(readFileSync(join(project, 'packed', name)))
    assert.ok(told.includes(digest.digest('hex')), name)
  }
})

Outside('every package is installed from its tarball', (place) => {
  const tarballs = readdirSync(join(place.project, 'packed'))
    .filter((name) => name.endsWith('.tgz'))
    .map((name) => `./packed/${name}`)
  // The workspace has compiled the database already, because that takes a minute.
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...tarballs, '@types/node@20']
  const { status, stdout, stderr } = run(place, 'npm', ...args)
  assert.is(status, 0, stdout + stderr)
  const compiled = 'node_modules/better-sqlite3/build'
  cpSync(join(domain, '../adapters-sqlite', compiled), join(place.project, compiled), { recursive: true })
  for (const { name, text } of programs) writeFileSync(join(place.project, name), text)
})

Outside('npx clientele is the service', (place) => {
  const { status, stdout, stderr } = run(place, 'npx', '--no-install', 'clientele', 'version')
  assert.is(status, 0, stderr)
  const { version } = JSON.parse(readFileSync(join(domain, 'package.json'), 'utf8')) as { version: string }
  assert.match(stdout, version)
})

Outside('the programs of the READMEs are what the declarations ask for', (place) => {
  const names = programs.map(({ name }) => name)
  assert.is(compiled(place, '--allowJs', '--checkJs', '--types', 'node', ...names), '')
})

for (const { name, file, output } of programs)
  Outside(`${file} prints what it says`, (place) => {
    const { status, stdout, stderr } = run(place, process.execPath, name)
    assert.is(status, 0, stderr)
    assert.is(stdout, output)
  })

Outside.run()
