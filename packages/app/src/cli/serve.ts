// clientele serve: runs the service, in one process or by workers.
import { judgeStoredMetadata } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { basename } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Service, compose } from '../compose.js'
import { readFile } from '../config/files.js'
import { type LoadedConfig, type ResolvedSetting, loadConfig } from '../config/load-config.js'
import { registrationSettings } from '../config/registration.js'
import { describeConfigFault } from '../config/rules.js'
import type { Config } from '../config/settings.js'
import type { DevelopmentStart } from '../engine/login.js'
import { type Log, createLog } from '../observing/log.js'
import type { ReadConfig } from '../running/reload.js'
import type { Supervisor } from '../server/worker.js'
import { shellWord } from '../text.js'
import { type Command, type ExitStatus, type Invocation, type Terminal, lines, withSettings } from './command.js'

// Most policies take one of these.
const exampleClients = [
  {},
  { token_endpoint_auth_method: 'none' },
  { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://client.example.com/jwks.json' },
].map((members) => ({ redirect_uris: ['https://client.example.com/callback'], ...members }))

/** How to register a client with the token of a first start: a command, or what the registration policy requires. */
export const registrationText = ({ url, baseUrl, firstRun }: Service, config: Config): ReadonlyArray<string> => {
  const { files, made } = firstRun
  if (files === undefined || !made.includes(files.masterToken)) return []
  const judge = judgeStoredMetadata(registrationSettings(config, baseUrl))
  const judged = exampleClients.map((client) => ({
    client,
    faults: judge(client, config['client-secret-length'], 'master'),
  }))
  const taken = judged.find(({ faults }) => faults.length === 0)
  if (taken === undefined)
    return [
      `Register a client with the master token in ${shellWord(files.masterToken)} by POST ${url}/clients, with redirect_uris and what else is required here:`,
      ...(judged[0]?.faults ?? []).map(({ description }) => `  ${description}`),
    ]
  const command = [
    `  curl -sS ${url}/clients`,
    `-H "Authorization: Bearer $(cat ${shellWord(files.masterToken)})"`,
    "-H 'Content-Type: application/json'",
    `-d '${JSON.stringify(taken.client)}'`,
  ]
  return ['Register a client with the master token:', command.join(' ')]
}

/** How a developer signs in, in one line. */
const signInText = ({ accountsFile, accounts, made }: DevelopmentStart): string => {
  if (made !== undefined) return `Sign in as ${made.username} with the password in ${shellWord(made.passwordFile)}`
  return accounts === 0
    ? 'Nobody can sign in: clientele users add NAME makes an account'
    : `Sign in with an account of ${shellWord(accountsFile)}: clientele users list names them`
}

const namesOf = (paths: ReadonlyArray<string>): string => paths.map((path) => basename(path)).join(', ')

/** The text of a start on stdout. The command reads the token from its file; the token itself is never printed. */
export const startText = (
  { firstRun, accounts, baseUrl, managementUrl }: Service,
  registration: ReadonlyArray<string> = [],
): string => {
  const { files, database, made, found } = firstRun
  const account = accounts?.made === undefined ? [] : [accounts.accountsFile, accounts.made.passwordFile]
  const allMade = [...made, ...account]
  return lines(
    `Clientele at ${baseUrl}`,
    managementUrl !== undefined && `Health and metrics at ${managementUrl}`,
    `Data in ${files?.directory ?? database}`,
    allMade.length > 0 && `Made ${namesOf(allMade)}`,
    found.length > 0 && `Found ${namesOf(found)}`,
    registration,
    accounts !== undefined && signInText(accounts),
    '',
  )
}

const statusText = `Registrations are answered with 200, which clients that insist on 201 (RFC 7591 section 3.2.1) refuse:
set registration-status to 201 for them, or to 200, which hides this notice
`

/** The notice for a setting that the operator has not chosen. */
const statusReminder = (settings: ReadonlyArray<ResolvedSetting>): string =>
  settings.some(({ name, source }) => name === 'registration-status' && source === 'default') ? statusText : ''

export const readyLine = ({ baseUrl }: Service): string => `clientele ready ${baseUrl}\n`

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

const endOnDefects = (log: Log, terminal: Terminal): ((error: unknown) => void) => {
  const onFatal = (error: unknown): void => {
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
  // The settings of the start were read already: a reload that comes before its end follows it.
  onReload((isRecorded) => void starting.then(E.map(({ reload }) => reload?.(isRecorded))))
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
  ready([startText(service, registrationText(service, config)), statusReminder(resolved), readyLine(service)].join(''))
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
  const { superviseWorkers } = await import('../server/primary.js')
  const primary = supervisorOfThisWorker(terminal)
  if (primary !== undefined) return serveInstance(loaded, terminal, invocation, primary)
  const log = createLog(loaded.config['log-level'], terminal.errors)
  endOnDefects(log, terminal)
  return superviseWorkers(loaded.config.workers, log, supervisorAt(terminal))
}

export const serveCommand: Command = {
  name: 'serve',
  summary: 'run the service; clientele without a command does the same',
  example: 'clientele serve --port 9000 --data-dir /var/lib/clientele',
  run: withSettings((loaded, terminal, invocation) =>
    loaded.config.workers === 1
      ? serveInstance(loaded, terminal, invocation, supervisorAt(terminal))
      : serveByWorkers(loaded, terminal, invocation),
  ),
}
