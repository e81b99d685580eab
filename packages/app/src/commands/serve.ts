import * as E from 'fp-ts/lib/Either.js'
import { setTimeout } from 'node:timers/promises'
import { compose } from '../compose.js'
import type { LoadedConfig } from '../config/load-config.js'
import { type Log, createLog } from '../observing/log.js'
import type { Supervisor } from '../workers/supervisor.js'
import type { Command } from './command.js'
import { readyLine, startText, statusReminder } from './start-text.js'
import type { ExitStatus, Terminal } from './terminal.js'
import { withSettings } from './with-settings.js'

const supervisorAt = ({ output, errors, stopped }: Terminal): Supervisor => ({
  ready: (text) => void output.write(text),
  refused: (line) => {
    errors.write(`clientele: ${line}\n`)
    return Promise.resolve()
  },
  stopped,
  logMembers: null,
})

type OnFatal = (error: unknown) => void

const endOnDefects = (log: Log, terminal: Terminal): OnFatal => {
  const onFatal: OnFatal = (error) => {
    log.fatal({ err: error }, 'the service cannot go on')
    terminal.exit(1)
  }
  terminal.onDefect(onFatal)
  return onFatal
}

/** Milliseconds for the end of a start after the signal to stop: a start that succeeds is stopped in order. */
const startLimit = 1_000

// Runs until the supervisor stops it.
const serveInstance = async (
  { config, resolved }: LoadedConfig,
  terminal: Terminal,
  { ready, refused, stopped, logMembers, metrics }: Supervisor,
): Promise<ExitStatus> => {
  const log = createLog(config['log-level'], terminal.errors, logMembers)
  const starting = compose(config, { log, onFatal: endOnDefects(log, terminal), metrics })()
  const started = await Promise.race([starting, stopped.then(() => setTimeout(startLimit))])
  if (started === undefined) {
    log.info('stopped before the start was complete')
    return 0
  }
  if (E.isLeft(started)) {
    await refused(started.left)
    return 1
  }
  const service = started.right
  ready([startText(service), statusReminder(resolved), readyLine(service)].join(''))
  await stopped
  log.info('stopping')
  await service.stop()
  log.info('stopped')
  return 0
}

// One process loads nothing of several.
const serveByWorkers = async (loaded: LoadedConfig, terminal: Terminal): Promise<ExitStatus> => {
  const { superviseWorkers, supervisorOfThisWorker } = await import('../workers/workers.js')
  const primary = supervisorOfThisWorker(terminal)
  if (primary !== undefined) return serveInstance(loaded, terminal, primary)
  const log = createLog(loaded.config['log-level'], terminal.errors)
  endOnDefects(log, terminal)
  return superviseWorkers(loaded.config.workers, log, supervisorAt(terminal))
}

const serve = withSettings((loaded, terminal) =>
  loaded.config.workers === 1
    ? serveInstance(loaded, terminal, supervisorAt(terminal))
    : serveByWorkers(loaded, terminal),
)

export const serveCommand: Command = {
  name: 'serve',
  summary: 'run the service; clientele without a command does the same',
  example: 'clientele serve --port 9000 --data-dir /var/lib/clientele',
  run: serve,
}
