// clientele config …, reload and instances list: shows the settings of the service, lets it read them again, and shows
// the instances of it.
import type { Reloaded } from '@clientele/adapters-http'
import { type AnnouncedInstance, type EncryptionKeyFingerprints, settingDifferences } from '@clientele/domain/instances'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { dataFiles } from '../config/database.js'
import { readFile } from '../config/files.js'
import { configAsJson, configAsText, readSettings } from '../config/load-config.js'
import { describeConfigFault, hostWarning, judgedIfRead, missingLogin } from '../config/rules.js'
import type { Config } from '../config/settings.js'
import { fingerprintsOf } from '../data/encryption-keys.js'
import { askPostgresql } from '../data/open-data.js'
import { askFor, manage } from './manage.js'
import { isoTime, printable } from '../text.js'
import { type Command, answering, json, lines, print, withSettings } from './command.js'

const check: Command['run'] = (terminal, invocation) => {
  const { flags, switches } = invocation
  const read = readSettings({ flags, environment: terminal.environment, readFile })
  // A start by this program is refused for it, too.
  const login = judgedIfRead(read.config, read.faulty, missingLogin)
  const faults = [...read.faults, ...(login === undefined ? [] : [login])]
  const exposed = judgedIfRead(read.config, read.faulty, hostWarning)
  const source = read.resolved.find(({ name }) => name === 'host')?.source ?? 'default'
  const warnings = exposed === undefined ? [] : [{ ...exposed, source }]
  const valid = faults.length === 0
  if (valid || switches.includes('json'))
    print(terminal, invocation, { valid, faults, warnings }, () =>
      lines(
        'The settings are valid.',
        warnings.map((each) => `Warning: ${describeConfigFault(each)}`),
      ),
    )
  else terminal.errors.write(`${faults.map(describeConfigFault).join('\n')}\n`)
  return valid ? 0 : 1
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

export const configCommands: ReadonlyArray<Command> = [
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
    run: withSettings(({ resolved }, terminal, invocation) => {
      print(terminal, invocation, configAsJson(resolved), () => configAsText(resolved))
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
export const listInstances = (config: Config): TE.TaskEither<string, InstanceList> =>
  pipe(
    askPostgresql(config, oneProcess, (adapter, options) => adapter.listInstances(options)),
    TE.map((instances) => ({
      own_keys: fingerprintsOf(config['encryption-key'] ?? []),
      instances: instances.map((each) => ({
        id: each.id,
        version: each.version,
        started_at: each.started_at,
        seen_at: each.seen_at,
        seals_with: each.seals_with,
        opens_with: each.opens_with,
        differing_settings: settingDifferences(each, instances).map(({ setting }) => setting),
      })),
    })),
  )

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
