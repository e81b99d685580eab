// clientele serve, config …, reload and instances list: runs the service, shows its settings, and the instances of it.
import type { Reloaded } from '@clientele/adapters-http'
import { type AnnouncedInstance, type EncryptionKeyFingerprints, settingDifferences } from '@clientele/domain/instances'
import { judgeStoredMetadata } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { basename } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Service, compose } from '../compose.js'
import { describeConfigFault, judgedIfRead, missingLogin } from '../config/rules.js'
import { dataFiles } from '../config/database.js'
import {
  type LoadedConfig,
  type ResolvedSetting,
  loadConfig,
  readSettings,
  configAsJson,
  configAsText,
} from '../config/load-config.js'
import { registrationSettings } from '../config/registration.js'
import type { Config } from '../config/settings.js'
import { readFile } from '../config/files.js'
import { listPostgresqlInstances } from '../data/open-data.js'
import { ownKeys } from '../running/presence.js'
import type { DevelopmentStart } from '../engine/login.js'
import { askFor, manage } from '../manage/manage.js'
import { type Log, createLog } from '../observing/log.js'
import { isoTime, printable } from '../text.js'
import type { ReadConfig } from '../running/reload.js'
import type { Supervisor } from '../server/worker.js'
import {
  type Command,
  type ExitStatus,
  type Invocation,
  type Terminal,
  answering,
  json,
  lines,
  withSettings,
} from './command.js'

const quoted = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`

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
      `Register a client with the master token in ${quoted(files.masterToken)} by POST ${url}/clients, with redirect_uris and what else is required here:`,
      ...(judged[0]?.faults ?? []).map(({ description }) => `  ${description}`),
    ]
  const command = [
    `  curl -sS ${url}/clients`,
    `-H "Authorization: Bearer $(cat ${quoted(files.masterToken)})"`,
    "-H 'Content-Type: application/json'",
    `-d '${JSON.stringify(taken.client)}'`,
  ]
  return ['Register a client with the master token:', command.join(' ')]
}

/** How a developer signs in, in one line. */
const signInText = ({ accountsFile, accounts, made }: DevelopmentStart): string => {
  if (made !== undefined) return `Sign in as ${made.username} with the password in ${quoted(made.passwordFile)}`
  return accounts === 0
    ? 'Nobody can sign in: clientele users add NAME makes an account'
    : `Sign in with an account of ${quoted(accountsFile)}: clientele users list names them`
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

const check: Command['run'] = (terminal, { flags, switches }) => {
  const read = readSettings({ flags, environment: terminal.environment, readFile })
  // A start by this program is refused for it, too.
  const login = judgedIfRead(read.config, read.faulty, missingLogin)
  const faults = [...read.faults, ...(login === undefined ? [] : [login])]
  if (switches.includes('json'))
    terminal.output.write(`${JSON.stringify({ valid: faults.length === 0, faults }, null, 2)}\n`)
  else if (faults.length === 0) terminal.output.write('The settings are valid.\n')
  else terminal.errors.write(`${faults.map(describeConfigFault).join('\n')}\n`)
  return faults.length === 0 ? 0 : 1
}

const ReloadedAnswer = t.type({ reloaded: t.readonlyArray(t.string), waiting: t.readonlyArray(t.string) })

/** Makes the running service read its settings again. */
const reloadService = (config: Config): TE.TaskEither<string, Reloaded> =>
  config.server === undefined && dataFiles(config) === undefined
    ? TE.left('with PostgreSQL, send SIGHUP to the process of each instance, or name one by server')
    : manage(config, (ask, place) =>
        place === 'store'
          ? TE.left('no service runs here: the next start reads the settings')
          : askFor(ask, { path: '/reload', body: {}, codec: ReloadedAnswer }),
      )

export const serviceCommands: ReadonlyArray<Command> = [
  {
    name: 'serve',
    summary: 'run the service; clientele without a command does the same',
    example: 'clientele serve --port 9000 --data-dir /var/lib/clientele',
    run: withSettings((loaded, terminal, invocation) =>
      loaded.config.workers === 1
        ? serveInstance(loaded, terminal, invocation, supervisorAt(terminal))
        : serveByWorkers(loaded, terminal, invocation),
    ),
  },
  {
    name: 'config check',
    summary: 'say everything that is wrong with the settings at once',
    options: [json],
    example: 'clientele config check --config clientele.json',
    run: check,
  },
  {
    name: 'config print',
    summary: 'show every setting and where it comes from, but no secret',
    options: [json],
    example: 'clientele config print --json',
    run: withSettings(({ resolved }, { output }, { switches }) => {
      const text = switches.includes('json') ? JSON.stringify(configAsJson(resolved), null, 2) : configAsText(resolved)
      output.write(`${text}\n`)
      return 0
    }),
  },
]

export const reloadCommand: Command = {
  name: 'reload',
  summary: 'make the running service read the master tokens, the registration policy and the theme again',
  options: [json],
  example: 'clientele reload',
  run: answering(reloadService, ({ reloaded, waiting }) =>
    lines(
      reloaded.length === 0 ? 'Nothing has changed' : `Reloaded: ${reloaded.map(printable).join(', ')}`,
      waiting.length > 0 && `Changed, and taken over by the next start: ${waiting.map(printable).join(', ')}`,
    ),
  ),
}

/** An instance for the operator, without digests; fingerprints do not reveal keys. */
type InstanceDescription = Omit<AnnouncedInstance, 'settings'> & {
  /** The settings that differ from those of another instance. */
  readonly differing_settings: ReadonlyArray<string>
}

type InstanceList = {
  /** The encryption keys in the settings of the command. */
  readonly own_keys: EncryptionKeyFingerprints
  readonly instances: ReadonlyArray<InstanceDescription>
}

const oneProcess = 'a SQLite database belongs to one service: instances share a database-url of PostgreSQL'

/** The instances that run on the database; a command is none. Any encryption keys will do. */
export const listInstances = (config: Config): TE.TaskEither<string, InstanceList> => {
  const url = config['database-url']
  return url.scheme === 'sqlite'
    ? TE.left(oneProcess)
    : pipe(
        listPostgresqlInstances(config, url),
        TE.mapBoth(
          ({ message }) => message,
          (instances) => ({
            own_keys: ownKeys({ encryptionKeys: config['encryption-key'] ?? [] }),
            instances: instances.map((each) => ({
              id: each.id,
              version: each.version,
              started_at: each.started_at,
              seen_at: each.seen_at,
              seals_with: each.seals_with,
              opens_with: each.opens_with,
              differing_settings: settingDifferences(each, instances).map(({ setting }) => setting),
            })),
          }),
        ),
      )
}

const keysText = ({ seals_with, opens_with }: EncryptionKeyFingerprints): string =>
  `encryption-key: seals with ${printable(seals_with)}, opens ${opens_with.map(printable).join(', ')}`

const instanceText = ({ id, version, started_at, seen_at, differing_settings, ...keys }: InstanceDescription): string =>
  lines(
    printable(id),
    `  version ${printable(version)}, started at ${isoTime(started_at)}, last seen at ${isoTime(seen_at)}`,
    `  ${keysText(keys)}`,
    differing_settings.length > 0 &&
      `  differs from another instance in ${differing_settings.map(printable).join(', ')}`,
  )

const instanceListText = ({ own_keys, instances }: InstanceList): string =>
  lines(
    instances.length === 0 ? 'No instance runs on this database' : instances.map(instanceText),
    `The settings of this command\n  ${keysText(own_keys)}`,
  )

export const instanceCommands: ReadonlyArray<Command> = [
  {
    name: 'instances list',
    summary: 'show the instances that run on a PostgreSQL database, and the settings in which they differ',
    details:
      'An instance that was killed is shown for up to 30 seconds. Encryption keys are shown by fingerprints, ' +
      'which do not reveal them.',
    options: [json],
    example: 'clientele instances list',
    run: answering(listInstances, instanceListText),
  },
]
