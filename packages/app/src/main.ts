#!/usr/bin/env node
// The process: its streams, signals and exit. No other module uses `process`.
import { createInterface } from 'node:readline'
import { runCommand } from './cli/run-command.js'

// All files of the service, including the database, are accessible to their owner only.
process.umask(0o077)

const flushLimit = 500

const exit = (status: number): void => {
  const deadline = Date.now() + flushLimit
  const leave = (): void => {
    const pending = process.stdout.writableLength + process.stderr.writableLength
    if (pending === 0 || Date.now() >= deadline) process.exit(status)
    setTimeout(leave, 10)
  }
  leave()
}

// A closed reader must not end the service.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

const stopped = new Promise<void>((stop) => {
  const signals = { received: 0 }
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      signals.received += 1
      if (signals.received > 1) process.exit(1)
      stop()
    })
})

const ask = (question: string): Promise<string> =>
  new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr })
    lines.once('close', () => resolve(''))
    lines.question(question, (answer) => {
      resolve(answer)
      lines.close()
    })
  })

const terminal = {
  environment: process.env,
  output: process.stdout,
  errors: process.stderr,
  ask,
  stopped,
  onDefect: (report: (error: unknown) => void) => {
    process.on('uncaughtException', report)
  },
  exit,
}

exit(await runCommand(terminal, process.argv.slice(2)))
