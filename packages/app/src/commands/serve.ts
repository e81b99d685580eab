import * as E from 'fp-ts/lib/Either.js'
import { compose } from '../compose.js'
import { createLog } from '../observing/log.js'
import { readyLine, startText, statusReminder } from './start-text.js'
import type { Command } from './command.js'
import { withSettings } from './with-settings.js'

// Runs until the process receives a signal to stop.
const serve = withSettings(async ({ config, resolved }, terminal) => {
  const log = createLog(config['log-level'], terminal.errors)
  const onFatal = (error: unknown): void => {
    log.fatal({ err: error }, 'the service cannot go on')
    terminal.exit(1)
  }
  terminal.onDefect(onFatal)
  const started = await compose(config, { log, onFatal })()
  if (E.isLeft(started)) {
    terminal.errors.write(`clientele: ${started.left}\n`)
    return 1
  }
  const service = started.right
  terminal.output.write(startText(service))
  terminal.output.write(statusReminder(resolved))
  terminal.output.write(readyLine(service))
  await terminal.stopped
  log.info('stopping')
  await service.stop()
  log.info('stopped')
  return 0
})

export const serveCommand: Command = {
  name: 'serve',
  summary: 'run the service; clientele without a command does the same',
  example: 'clientele serve --port 9000 --data-dir /var/lib/clientele',
  run: serve,
}
