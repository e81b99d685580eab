// clientele instances list: the instances that share a database.
import { type AnnouncedInstance, type EncryptionKeyFingerprints, settingDifferences } from '@clientele/domain/instances'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Config } from '../config/settings.js'
import { listPostgresqlInstances } from '../data/open-data.js'
import { ownKeys } from '../running/presence.js'
import { printable, isoTime } from '../text.js'
import { type Command, json } from './command.js'
import { answering } from './with-settings.js'

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

const describe =
  (config: Config) =>
  (instances: ReadonlyArray<AnnouncedInstance>): InstanceList => ({
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
  })

const oneProcess = 'a SQLite database belongs to one service: instances share a database-url of PostgreSQL'

/** The instances that run on the database; a command is none. Any encryption keys will do. */
export const listInstances = (config: Config): TE.TaskEither<string, InstanceList> => {
  const url = config['database-url']
  return url.scheme === 'sqlite'
    ? TE.left(oneProcess)
    : pipe(
        listPostgresqlInstances(config, url),
        TE.mapBoth(({ message }) => message, describe(config)),
      )
}

const keysText = ({ seals_with, opens_with }: EncryptionKeyFingerprints): string =>
  `encryption-key: seals with ${printable(seals_with)}, opens ${opens_with.map(printable).join(', ')}`

const instanceText = ({ id, version, started_at, seen_at, differing_settings, ...keys }: InstanceDescription): string =>
  [
    printable(id),
    `  version ${printable(version)}, started at ${isoTime(started_at)}, last seen at ${isoTime(seen_at)}`,
    `  ${keysText(keys)}`,
    ...(differing_settings.length === 0
      ? []
      : [`  differs from another instance in ${differing_settings.map(printable).join(', ')}`]),
  ].join('\n')

const instanceListText = ({ own_keys, instances }: InstanceList): string =>
  [
    ...(instances.length === 0 ? ['No instance runs on this database'] : instances.map(instanceText)),
    `The settings of this command\n  ${keysText(own_keys)}`,
  ].join('\n')

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
