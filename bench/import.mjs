// node bench/import.mjs COUNT [postgresql://…]: imports COUNT clients into a new store on the command line, imports them again, and
// exports them. Prints the time of each, with its processor time, and the greatest memory of its process.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeRecords } from './client-records.mjs'

const [count = '200000', database] = process.argv.slice(2)
const program = fileURLToPath(new URL('../packages/app/bin/clientele.js', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'clientele-bench-'))
const settings = [
  '--data-dir',
  join(directory, 'data'),
  ...(database === undefined ? [] : ['--database-url', database]),
]

// Prints its greatest memory and its processor time when it ends.
const usage = `data:text/javascript,${encodeURIComponent(
  `process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
    process.stderr.write('usage ' + JSON.stringify({ mib: maxRSS / 1024, cpu: (userCPUTime + systemCPUTime) / 1e6 }) + '\\n')
  })`,
)}`

const timed = (name, ...argv) => {
  const began = performance.now()
  const ran = spawnSync(process.execPath, ['--import', usage, program, ...argv, ...settings], { encoding: 'utf8' })
  const seconds = (performance.now() - began) / 1000
  if (ran.status !== 0) throw new Error(`${name}: ${ran.stdout}${ran.stderr}`)
  const { mib, cpu } = JSON.parse(/^usage (.*)$/m.exec(ran.stderr)[1])
  const rate = (Number(count) / seconds).toFixed(0)
  const rateOfProcessor = (Number(count) / cpu).toFixed(0)
  console.log(
    `${name.padEnd(28)} ${seconds.toFixed(1)} s, ${rate} clients/s; processor ${cpu.toFixed(1)} s, ${rateOfProcessor} clients/s; memory ${mib.toFixed(0)} MiB`,
  )
}

const file = join(directory, 'clients.ndjson')
const out = join(directory, 'export.ndjson')
await writeRecords(file, Number(count))
console.log(`${count} clients, ${(statSync(file).size / 2 ** 20).toFixed(0)} MiB`)
// Makes the store and its keys.
spawnSync(process.execPath, [program, '--port', '0', '--engine', 'none', ...settings], { timeout: 6000 })
timed('dry run', 'clients', 'import', file, '--from', 'clientele', '--dry-run')
timed('import', 'clients', 'import', file, '--from', 'clientele')
timed('import again', 'clients', 'import', file, '--from', 'clientele')
timed('export with secrets', 'clients', 'export', out, '--secrets')
rmSync(directory, { recursive: true })
