import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { setTimeout } from 'node:timers/promises'
import { type Service, compose } from '../compose.js'
import { describeConfigFault } from '../config/rules.js'
import { type LoadedConfig, loadConfig } from '../config/load-config.js'
import { readFile } from '../config/files.js'
import { type Log, createLog } from '../observing/log.js'
import type { ReadConfig } from '../running/reload.js'
import type { Supervisor } from '../server/worker.js'
import type { Command, Invocation } from './command.js'
import { readyLine, startText, statusReminder } from './start-text.js'
import type { ExitStatus, Terminal } from './terminal.js'
import { withSettings } from './with-settings.js'

const supervisorAt = ({ output, errors, stopped, onReload }: Terminal): Supervisor => ({
  ready: (text) => void output.write(text),
  refused: (line) => {
    errors.write(`clientele: ${line}\n`)
    return Promise.resolve()
  },
  stopped,
  onReload,
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

// The files that the settings name are read again; flags and environment of a process do not change.
const readConfigBy =
  ({ environment }: Terminal, flags: Invocation['flags']): ReadConfig =>
  () =>
    pipe(
      loadConfig({ flags, environment, readFile }),
      E.map(({ config }) => config),
      E.mapLeft((faults) => faults.map(describeConfigFault)),
    )

// Runs until the supervisor stops it.
const serveInstance = async (
  { config, resolved }: LoadedConfig,
  terminal: Terminal,
  { flags }: Invocation,
  { ready, refused, stopped, onReload, reloadOthers, logMembers, metrics }: Supervisor,
): Promise<ExitStatus> => {
  const log = createLog(config['log-level'], terminal.errors, logMembers)
  const reloading: { reload: Service['reload'] } = { reload: undefined }
  onReload((isRecorded) => reloading.reload?.(isRecorded))
  const onFatal = endOnDefects(log, terminal)
  const starting = compose(config, { log, onFatal, metrics, readConfig: readConfigBy(terminal, flags), reloadOthers })()
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
  reloading.reload = service.reload
  ready([startText(service), statusReminder(resolved), readyLine(service)].join(''))
  await stopped
  log.info('stopping')
  await service.stop()
  log.info('stopped')
  return 0
}

// One process loads nothing of several.
const serveByWorkers = async (
  loaded: LoadedConfig,
  terminal: Terminal,
  invocation: Invocation,
): Promise<ExitStatus> => {
  const { supervisorOfThisWorker } = await import('../server/worker.js')
  const primary = supervisorOfThisWorker(terminal)
  if (primary !== undefined) return serveInstance(loaded, terminal, invocation, primary)
  const { superviseWorkers } = await import('../server/primary.js')
  const log = createLog(loaded.config['log-level'], terminal.errors)
  endOnDefects(log, terminal)
  return superviseWorkers(loaded.config.workers, log, supervisorAt(terminal))
}

const serve = withSettings((loaded, terminal, invocation) =>
  loaded.config.workers === 1
    ? serveInstance(loaded, terminal, invocation, supervisorAt(terminal))
    : serveByWorkers(loaded, terminal, invocation),
)

export const serveCommand: Command = {
  name: 'serve',
  summary: 'run the service; clientele without a command does the same',
  example: 'clientele serve --port 9000 --data-dir /var/lib/clientele',
  run: serve,
}
