#!/usr/bin/env node
// The process: its streams, signals and exit. No other module uses `process`.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { runCommand, runsService } from './cli/program.js'
import { serveCommand } from './cli/serve.js'

// As by --disable-proto=delete, however the process was started: a member __proto__ of foreign data is one like any other,
// and no assignment to it changes what all objects have. Workers run this module as well.
Reflect.deleteProperty(Object.prototype, '__proto__')

// All files of the service, including the database, are accessible to their owner only.
process.umask(0o077)

const argv = process.argv.slice(2)
const isService = runsService(argv)

/** Milliseconds at the end for readers that are slow. A command waits until they have read all of it. */
const flushLimit = isService ? 500 : Infinity

const lost = { output: false }

const exit = (status: number): void => {
  const deadline = Date.now() + flushLimit
  const leave = (): void => {
    const pending = process.stdout.writableLength + process.stderr.writableLength
    if (pending === 0 || Date.now() >= deadline) process.exit(lost.output && !isService ? 1 : status)
    setTimeout(leave, 10)
  }
  // The error of the last write is reported before.
  setImmediate(leave)
}

// A closed reader must not end the service. A command whose output is lost fails; a reader that has ended knows why.
process.stderr.on('error', () => undefined)
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (!lost.output && code !== 'EPIPE') process.stderr.write(`clientele: the output is not complete (${message})\n`)
  lost.output = true
})

// A command ends by the first signal, as any program does.
const stopped = new Promise<void>((stop) => {
  if (!isService) return
  const signals = { received: 0 }
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      signals.received += 1
      if (signals.received > 1) process.exit(1)
      stop()
    })
})

type AskOptions = Parameters<typeof createInterface>[0]

const askBy = (options: AskOptions, question: string): Promise<string> =>
  new Promise((resolve) => {
    const lines = createInterface(options)
    lines.once('close', () => resolve(''))
    lines.question(question, (answer) => {
      resolve(answer)
      lines.close()
    })
  })

const ask = (question: string): Promise<string> => askBy({ input: process.stdin, output: process.stderr }, question)

// readline echoes to its output: this one shows nothing.
const askSecret = async (question: string): Promise<string> => {
  process.stderr.write(question)
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const answer = await askBy({ input: process.stdin, output, terminal: process.stdin.isTTY }, '')
  if (process.stdin.isTTY) process.stderr.write('\n')
  return answer
}

const terminal = {
  environment: process.env,
  output: process.stdout,
  errors: process.stderr,
  ask,
  askSecret,
  stopped,
  onReload: (reload: (isRecorded: boolean) => void) => {
    process.on('SIGHUP', () => reload(true))
  },
  onDefect: (report: (error: unknown) => void) => {
    process.on('uncaughtException', report)
  },
  exit,
}

// Loading the other commands would take a tenth of the memory of the service.
const commands = isService ? { commands: [serveCommand], groups: {} } : await import('./commands.js')

exit(await runCommand(terminal, argv, commands))
