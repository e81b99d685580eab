// node bench/interrupted.mjs COUNT: imports COUNT clients and rotates the encryption key, each killed twice and completed by
// the same command. Prints times and the greatest memory of each process; fails if a client is missing, or there twice.
import { spawn, spawnSync } from 'node:child_process'
import { createReadStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { writeRecords } from './client-records.mjs'

const count = Number(process.argv[2] ?? 1_000_000)
const program = fileURLToPath(new URL('../packages/app/bin/clientele.js', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'clientele-bench-'))
const settings = ['--data-dir', join(directory, 'data')]
const file = join(directory, 'clients.ndjson')

const memoryOf = (pid) => {
  try {
    const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kib ?? 0) / 1024
  } catch {
    return 0
  }
}

const sizeOf = (name) => statSync(join(directory, 'data', name), { throwIfNoEntry: false })?.size ?? 0

const run = async (argv, isDue = () => false) => {
  const began = performance.now()
  const child = spawn(process.execPath, [program, ...argv, ...settings], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = once(child, 'close')
  let memory = 0
  while (child.exitCode === null && child.signalCode === null && !isDue((performance.now() - began) / 1000)) {
    memory = Math.max(memory, memoryOf(child.pid))
    await pause(50)
  }
  child.kill('SIGKILL')
  await ended
  const [last = ''] = output.trimEnd().split('\n').slice(-1)
  const took = ((performance.now() - began) / 1000).toFixed(1)
  const how = child.signalCode === null ? `status ${child.exitCode}` : 'killed'
  console.log(
    `${argv.slice(0, 2).join(' ')}: ${how} after ${took} s, memory ${memory.toFixed(0)} MiB: ${last.slice(-150)}`,
  )
  return { status: child.exitCode, output, isKilled: child.signalCode !== null }
}

const completed = async (argv, first, second) => {
  for (const isDue of [first, second]) {
    const { isKilled } = await run(argv, isDue)
    if (!isKilled) throw new Error(`${argv.join(' ')} ended before it was killed: nothing is shown of a resumption`)
  }
  const { status, output } = await run(argv)
  if (status !== 0) throw new Error(output)
}

await writeRecords(file, count)
// Makes the store and its keys.
spawnSync(process.execPath, [program, '--port', '0', '--engine', 'none', ...settings], { timeout: 6000 })
const bytes = () => sizeOf('clientele.db') + sizeOf('clientele.db-wal')
// By size: an import judges all clients before it writes the first.
await completed(
  ['clients', 'import', file, '--from', 'clientele'],
  () => bytes() > count * 300,
  () => bytes() > count * 600,
)
const isLate = (seconds) => seconds > 1 + count / 120_000
await completed(['encryption-key', 'rotate'], isLate, isLate)
const { status } = await run(['encryption-key', 'check'])
if (status !== 0) throw new Error('a value is sealed with another key')
const out = join(directory, 'export.ndjson')
await run(['clients', 'export', out])
const ids = new Set()
let lines = 0
for await (const line of createInterface({ input: createReadStream(out) })) {
  lines += 1
  ids.add(/"client_id":"([^"]+)"/.exec(line)?.[1])
}
if (lines !== count || ids.size !== count) throw new Error(`${lines} clients with ${ids.size} ids`)
console.log(`${count} clients, each once`)
rmSync(directory, { recursive: true })
