// npm run pack [-- FOLDER [--sbom] [--repository=URL]]: packs every package for publication, as tarballs in the folder, which
// npm installs. With --sbom, the folder also gets clientele.cdx.json: all that npm installs with them, as CycloneDX; npm asks
// the registry for it. With --repository, each package names the repository at the URL. With --write alone it regenerates
// tools/packed/, the lists of their contents.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from './build.mjs'
import { packages, root } from './packages.mjs'
import { pnpm } from './pnpm.mjs'

const outputs = /\.(?:d\.ts|js)(?:\.map)?$/

// tsc leaves the output of removed sources behind.
const removeStale = (folder) => {
  const dist = join(folder, 'dist')
  for (const name of readdirSync(dist, { recursive: true }))
    if (outputs.test(name) && !existsSync(join(folder, 'src', name.replace(outputs, '.ts')))) rmSync(join(dist, name))
}

/** The tarball of each package, by the name of its folder. */
export const pack = (destination, repository) => {
  build()
  for (const { folder } of packages) removeStale(folder)
  const args = ['--recursive', '--filter', './packages/*', 'pack', '--json', '--pack-destination', destination]
  const naming = repository === undefined ? [] : ['--config.pnpmfile=tools/packing.cjs']
  const { status, stdout, stderr } = pnpm([...naming, ...args], {
    stdio: 'pipe',
    encoding: 'utf8',
    maxBuffer: 1e8,
    env: { ...process.env, CLIENTELE_REPOSITORY: repository },
  })
  if (status !== 0) throw new Error(`the packages cannot be packed: ${stdout}${stderr}`)
  return Object.fromEntries(JSON.parse(stdout).map(({ name, filename }) => [name.replace('@clientele/', ''), filename]))
}

const compiled = 'src/**/*.ts, and of each the four in dist/: .js, .d.ts and their .map'
const endings = ['.js', '.js.map', '.d.ts', '.d.ts.map']

/** The contents of a tarball, in lines: a source and its compiled files are on one line with the others. */
export const contents = (tarball) => {
  const { stdout } = spawnSync('tar', ['-tzf', tarball], { encoding: 'utf8' })
  const files = stdout
    .trim()
    .split('\n')
    .map((name) => name.replace(/^package\//, ''))
  const all = new Set(files)
  const whole = files
    .filter((name) => /^src\/.+\.ts$/.test(name))
    .map((name) => [name, ...endings.map((ending) => name.replace(/^src/, 'dist').replace(/\.ts$/, ending))])
    .filter((group) => group.every((name) => all.has(name)))
  const grouped = new Set(whole.flat())
  const others = files
    .filter((name) => !grouped.has(name))
    // The hash of a part of the bundle changes with its contents.
    .map((name) => name.replace(/^(bin\/.+-)[A-Z0-9]{8}\.js$/, '$1*.js'))
    .sort()
  return `${[...others, ...(whole.length === 0 ? [] : [compiled])].join('\n')}\n`
}

const writeContents = () => {
  const destination = mkdtempSync(join(tmpdir(), 'clientele-packed-'))
  mkdirSync(join(root, 'tools/packed'), { recursive: true })
  for (const [name, tarball] of Object.entries(pack(destination)))
    writeFileSync(join(root, `tools/packed/${name}.txt`), contents(tarball))
  rmSync(destination, { recursive: true })
}

const npm = (cwd, ...args) => {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8', maxBuffer: 1e8 })
  if (status !== 0) throw new Error(`npm ${args[0]} failed: ${stdout}${stderr}`)
  return stdout
}

/** Writes the bill of materials of what npm installs with the tarballs, and nothing else: no tool of this repository. */
const writeSbom = (folder, tarballs) => {
  const project = mkdtempSync(join(tmpdir(), 'clientele-sbom-'))
  try {
    const { version } = packages[0].manifest
    writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'clientele', version, private: true }))
    npm(project, 'install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund', ...tarballs)
    const sbom = npm(project, 'sbom', '--package-lock-only', '--sbom-format', 'cyclonedx')
    writeFileSync(join(folder, 'clientele.cdx.json'), sbom)
  } finally {
    rmSync(project, { recursive: true })
  }
}

/** npm would install either of two versions of a package. */
const refuseOtherVersions = (folder) => {
  const { version } = packages[0].manifest
  const others = readdirSync(folder).filter(
    (name) => /^clientele-.*\.tgz$/.test(name) && !name.endsWith(`-${version}.tgz`),
  )
  if (others.length > 0)
    throw new Error(`${folder} has packages of another version (${others[0]}): remove them, or name another folder`)
}

const packTo = (folder, withSbom, repository) => {
  mkdirSync(folder, { recursive: true })
  refuseOtherVersions(folder)
  const tarballs = Object.values(pack(folder, repository))
  if (withSbom) writeSbom(folder, tarballs)
  for (const tarball of tarballs) console.log(tarball)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const flags = process.argv.slice(2).filter((each) => each.startsWith('--'))
  const [folder = 'packed'] = process.argv.slice(2).filter((each) => !each.startsWith('--'))
  if (flags.includes('--write')) writeContents()
  else packTo(resolve(folder), flags.includes('--sbom'), /--repository=(\S+)/.exec(flags.join(' '))?.[1])
}
