import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

// The next version, set in a copy of what tools/version.mjs reads and writes.
const Version = suite<{ folder: string }>('the next version')

const { changesetFaults, majorsBeforeOne } = await import(new URL('../version.mjs', import.meta.url).href)
const { packages } = await import(new URL('../packages.mjs', import.meta.url).href)
const { ruleTexts } = await import('../../packages/domain/src/kernel/all-rules.js')

const root = fileURLToPath(new URL('../../', import.meta.url))
const names: ReadonlyArray<string> = packages.map(({ name }: { readonly name: string }) => name)
const released = 'packages/domain/test/documents/released-rules.json'
const clients = 'packages/domain/test/documents/released-clients.ndjson'

const run = (folder: string, command: string, ...args: ReadonlyArray<string>) =>
  spawnSync(command, args, { cwd: folder, encoding: 'utf8', timeout: 60_000 })

const changeset = (bump: string): string => `---\n'@clientele/domain': ${bump}\n---\n\nA rule is stricter.\n`

Version.before((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'clientele-version-'))
  const copied = ['package.json', 'pnpm-workspace.yaml', '.changeset', 'tools/version.mjs', 'tools/packages.mjs']
  const manifests = ['tools', 'bench', ...names.map((name) => `packages/${name}`)].map((each) => `${each}/package.json`)
  for (const path of [...copied, ...manifests, 'packages/domain/src', dirname(released)]) {
    mkdirSync(join(context.folder, dirname(path)), { recursive: true })
    cpSync(join(root, path), join(context.folder, path), { recursive: true })
  }
  for (const path of ['tools/node_modules', 'packages/domain/node_modules'])
    symlinkSync(join(root, path), join(context.folder, path))
  writeFileSync(join(context.folder, released), '[]\n')
  writeFileSync(join(context.folder, clients), '')
  const committed = `git init -q -b main && git add --all && git -c user.name=a -c user.email=a@a.example commit -qm first`
  assert.is(run(context.folder, 'sh', '-c', committed).status, 0)
})
Version.after(({ folder }) => rmSync(folder, { recursive: true }))

Version('no changeset of this repository says major before 1.0', () => {
  assert.equal(changesetFaults(), [])
  const texts = {
    'one.md': changeset('major'),
    'two.md': changeset('minor'),
    'three.md': `${changeset('patch')}x: major\n`,
  }
  assert.equal(majorsBeforeOne('0.9.1', texts), ['one.md'])
  assert.equal(majorsBeforeOne('1.0.0', texts), [])
})

Version('a changeset with major is refused before 1.0, and nothing is set', ({ folder }) => {
  const file = join(folder, '.changeset/breaking.md')
  writeFileSync(file, changeset('major'))
  const { status, stderr } = run(folder, process.execPath, 'tools/version.mjs')
  assert.is(status, 1)
  assert.match(stderr, '.changeset/breaking.md: before 1.0, a breaking change is minor')
  assert.is(readFileSync(file, 'utf8'), changeset('major'))
  assert.is(readFileSync(join(folder, released), 'utf8'), '[]\n')
  rmSync(file)
})

Version(
  'a breaking change makes one next minor version of all packages, with the rules of the release',
  ({ folder }) => {
    const versionOf = (name: string): string =>
      JSON.parse(readFileSync(join(folder, `packages/${name}/package.json`), 'utf8')).version
    const [, minor = ''] = /^0\.(\d+)\./.exec(versionOf('domain')) ?? []
    writeFileSync(join(folder, '.changeset/breaking.md'), changeset('minor'))
    const { status, stderr } = run(folder, process.execPath, 'tools/version.mjs')
    assert.is(status, 0, stderr)
    for (const name of names) assert.is(versionOf(name), `0.${Number(minor) + 1}.0`, name)
    assert.match(readFileSync(join(folder, 'packages/domain/CHANGELOG.md'), 'utf8'), 'A rule is stricter.')
    assert.equal(JSON.parse(readFileSync(join(folder, released), 'utf8')), Object.keys(ruleTexts))
    assert.is(readFileSync(join(folder, clients), 'utf8').trim().split('\n').length, 50)
  },
)

Version.run()
