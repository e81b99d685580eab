// node tools/version.mjs: sets the next version of all packages by the changesets, and writes the CHANGELOG.md of each and the
// rules of this release. Before 1.0, a changeset says no major: UPGRADE.md.
import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packages, root } from './packages.mjs'

/** The changesets, by their names, that would make version 1.0.0 of one before it. */
export const majorsBeforeOne = (version, changesets) =>
  version.startsWith('0.')
    ? Object.entries(changesets)
        .filter(([, text]) => /^---\n[^]*?:\s*['"]?major['"]?\s*$[^]*?^---$/m.test(text))
        .map(([name]) => name)
    : []

const readChangesets = () =>
  Object.fromEntries(
    readdirSync(join(root, '.changeset'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => [name, readFileSync(join(root, '.changeset', name), 'utf8')]),
  )

const run = (...args) => {
  const { status, stdout } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error(`the next version cannot be set: ${stdout}`)
  return stdout
}

/** The faults of the changesets, one in a line. */
export const changesetFaults = () =>
  majorsBeforeOne(packages[0].manifest.version, readChangesets()).map(
    (name) => `.changeset/${name}: before 1.0, a breaking change is minor (UPGRADE.md): write minor in place of major`,
  )

const setVersion = () => {
  const faults = changesetFaults()
  if (faults.length > 0) throw new Error(faults.join('\n'))
  run(join(root, 'tools/node_modules/@changesets/cli/bin.js'), 'version')
  const tsx = join(root, 'tools/node_modules/tsx/dist/esm/index.mjs')
  const write = join(root, 'packages/domain/test/documents/write-released-documents.ts')
  run('--import', tsx, '--conditions=@clientele/source', write)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) setVersion()
