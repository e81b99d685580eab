// Publishes the packages that npm does not have in their present version: .github/workflows/release.yml runs it after a build.
// npm refuses provenance where a package names another repository than the one that publishes it, so that each names that.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { packages, root } from './packages.mjs'

const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env
if (server === undefined || repository === undefined)
  throw new Error('only the release workflow publishes the packages')

for (const { name, folder } of packages) {
  const fields = [`repository.type=git`, `repository.url=git+${server}/${repository}.git`]
  const args = ['pkg', 'set', ...fields, `repository.directory=packages/${name}`]
  execFileSync('npm', args, { cwd: folder, stdio: 'inherit' })
}
const changesets = join(root, 'tools/node_modules/@changesets/cli/bin.js')
execFileSync(process.execPath, [changesets, 'publish'], { cwd: root, stdio: 'inherit' })
