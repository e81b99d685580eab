// node bench/peers/run.mjs: the law of doors of other servers, at the versions of package.json here, and of this service. It
// installs them in this folder. `-- --examples` prints bodies as well.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

const peers = [
  { letter: 'A', name: 'oidc-provider', file: './oidc-provider.mjs' },
  { letter: 'B', name: '@better-auth/oauth-provider', file: './better-auth.mjs' },
  { letter: 'C', name: '@cloudflare/workers-oauth-provider', file: './workers-oauth-provider.mjs' },
  { letter: 'D', name: '@modelcontextprotocol/sdk', file: './mcp-sdk.mjs' },
]

const installed = join(folder, 'node_modules/.package-lock.json')
const isInstalled = () =>
  existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs

const install = () => {
  if (isInstalled()) return
  console.error('installing the other servers in bench/peers')
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'], timeout: 300_000 })
  if (status !== 0) console.error('they cannot be installed; the log of npm is above')
}

/** The column of a peer, or the reason why there is none. */
const compared = async (columnOf, { file }) => {
  try {
    const peer = await (await import(file)).start()
    try {
      return await columnOf(peer)
    } finally {
      await peer.stop()
    }
  } catch (thrown) {
    return { reason: String(Object(thrown).message ?? thrown).split('\n')[0] }
  }
}

const row = (cells) => `| ${cells.join(' | ')} |`
const cell = (value) => (typeof value === 'number' ? value.toLocaleString('en-US') : value)

install()
const { columnOf, ownColumn, rows } = await import('./compare.mjs')
const columns = []
for (const peer of peers) columns.push({ ...peer, ...(await compared(columnOf, peer)) })
const own = await ownColumn()

console.log(`\n${row(['compared', ...columns.map(({ letter }) => letter), 'Clientele'])}`)
console.log(row(['---', ...columns.map(() => '--:'), '--:']))
rows.forEach((name, at) =>
  console.log(row([name, ...columns.map(({ column }) => cell(column?.[at] ?? '')), cell(own[at])])),
)
console.log()
for (const { letter, name, reason } of columns)
  console.log(
    `${letter}: ${name} ${dependencies[name]}${reason === undefined ? '' : `, which does not run here: ${reason}`}`,
  )

if (process.argv.includes('--examples'))
  for (const { letter, examples = {} } of columns)
    for (const [kind, found] of Object.entries(examples)) {
      const step = Math.max(1, Math.floor(found.length / 8))
      for (const each of found.filter((_, at) => at % step === 0))
        console.log(letter, kind, JSON.stringify(each).slice(0, 300))
    }
