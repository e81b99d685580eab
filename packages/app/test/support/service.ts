// The built service as its users run it: a separate process, a new data directory, a free port on loopback.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const mainFile = fileURLToPath(new URL('../../bin/clientele.js', import.meta.url))

const program = { file: mainFile }

/** From now on `startService` starts this program, which takes the same settings. */
export const serveBy = (file: string): void => void (program.file = file)

export type Service = {
  readonly base: string
  readonly master: string
  readonly dataDir: string
  readonly child: ChildProcess
  readonly output: () => { readonly stdout: string; readonly stderr: string }
  readonly exited: Promise<number | null>
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>
}

export const newDataDir = (): string => mkdtempSync(join(tmpdir(), 'clientele-test-'))

export type Launched = {
  readonly child: ChildProcess
  readonly output: Service['output']
  readonly exited: Promise<number | null>
}

const running = new Set<ChildProcess>()
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')))

export const launch = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  file = mainFile,
): Launched => {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('CLIENTELE_'))
  const child = spawn(process.execPath, [file, ...args], { env: { ...Object.fromEntries(inherited), ...env } })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  running.add(child)
  const exited = new Promise<number | null>((resolve) =>
    child.on('close', (code) => {
      running.delete(child)
      resolve(code)
    }),
  )
  return { child, output: () => ({ stdout, stderr }), exited }
}

const readyLine = /^clientele ready (\S+)$/m

const whenReady = async ({ exited, output }: Launched): Promise<string> => {
  const deadline = Date.now() + 20_000
  let code: number | null | undefined
  void exited.then((ended) => (code = ended))
  for (;;) {
    const [, base] = readyLine.exec(output().stdout) ?? []
    if (base !== undefined) return base
    if (code !== undefined || Date.now() > deadline)
      throw new Error(`the service is not ready (exit code ${String(code)}): ${JSON.stringify(output())}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

// Most tests are about the registry, as it stands beside another provider: the engine has tests of its own.
const alone = { CLIENTELE_ENGINE: 'none' }

export const startService = async (
  settings: Readonly<Record<string, string>> = {},
  dataDir = newDataDir(),
  file = program.file,
  args: ReadonlyArray<string> = [],
): Promise<Service> => {
  const launched = launch(args, { CLIENTELE_DATA_DIR: dataDir, CLIENTELE_PORT: '0', ...alone, ...settings }, file)
  const base = await whenReady(launched)
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    launched.child.kill(signal)
    return launched.exited
  }
  const master = settings['CLIENTELE_MASTER_TOKEN'] ?? readFileSync(join(dataDir, 'master-token'), 'utf8').trim()
  return { base, master, dataDir, stop, ...launched }
}

export const discard = (dataDir: string): void => rmSync(dataDir, { recursive: true, force: true })
