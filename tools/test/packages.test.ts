import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publint } from 'publint'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

// The packages as published, checked as their users install them.

const Packages = suite<{ folder: string; tarballs: Readonly<Record<string, string>> }>('the packages')

const packing = fileURLToPath(new URL('../pack.mjs', import.meta.url))
const { pack } = await import(packing)
const { packages } = await import(new URL('../packages.mjs', import.meta.url).href)

Packages.before((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'clientele-packages-'))
  context.tarballs = pack(context.folder, 'https://forge.example/some/clientele')
})
Packages.after(({ folder }) => rmSync(folder, { recursive: true }))

// Like attw --profile esm-only: the packages are for users of ES modules.
const others = ['node10', 'node16-cjs']

const typeProblems = async (tarball: Uint8Array) => {
  const { types, ...analysis } = await checkPackage(createPackageFromTarballData(tarball))
  assert.ok(types)
  const problems = 'problems' in analysis ? analysis.problems : []
  return problems.filter((problem) => !('resolutionKind' in problem && others.includes(problem.resolutionKind)))
}

type Manifest = {
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly [field: string]: unknown
}

const named: ReadonlyArray<{ readonly name: string; readonly manifest: Manifest }> = packages

for (const { name, manifest } of named) {
  Packages(`${name} says what it is and what it runs on`, () => {
    for (const field of ['description', 'keywords', 'license', 'engines', 'files']) assert.ok(manifest[field], field)
    assert.is(manifest['type'], 'module')
    assert.is(manifest['sideEffects'], false)
  })

  Packages(`${name} names the repository that it was packed for`, ({ tarballs }) => {
    const packed = execFileSync('tar', ['-xzOf', String(tarballs[name]), 'package/package.json'], { encoding: 'utf8' })
    const { repository } = JSON.parse(packed) as Manifest
    const url = 'git+https://forge.example/some/clientele.git'
    assert.equal(repository, { type: 'git', url, directory: `packages/${name}` })
  })

  Packages(`${name} has no way into its files but its entry points`, () => {
    for (const [path, conditions] of Object.entries(manifest.exports)) {
      assert.match(path, /^\.(\/[a-z-]+)?$/)
      assert.equal(Object.keys(conditions), ['@clientele/source', 'types', 'default'])
    }
  })

  Packages(`${name} is sound for publint, and its types are right for whoever imports it`, async ({ tarballs }) => {
    const tarball = readFileSync(String(tarballs[name]))
    const { messages } = await publint({ pack: { tarball: Uint8Array.from(tarball).buffer }, strict: true })
    assert.equal(messages, [])
    assert.equal(await typeProblems(tarball), [])
  })
}

Packages('packages of another version in the folder are named before anything is packed', ({ folder }) => {
  const other = join(folder, 'other')
  mkdirSync(other)
  writeFileSync(join(other, 'clientele-domain-0.0.9.tgz'), '')
  const { status, stderr } = spawnSync(process.execPath, [packing, other], { encoding: 'utf8', timeout: 60_000 })
  assert.is(status, 1)
  assert.match(stderr, 'has packages of another version (clientele-domain-0.0.9.tgz): remove them, or name another')
  assert.equal(readdirSync(other), ['clientele-domain-0.0.9.tgz'])
})

Packages.run()
