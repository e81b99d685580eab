// The command on the instances that share a database.
import { type AnnouncedInstance, type EncryptionKeyFingerprints, settingDifferences } from '@clientele/domain/instances'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Config } from '../config/settings.js'
import { listPostgresqlInstances } from '../data/open-postgresql.js'
import { ownKeys } from '../instances/own-keys.js'

/** An instance for the operator, without digests; fingerprints do not reveal keys. */
export type InstanceDescription = Omit<AnnouncedInstance, 'settings'> & {
  /** The settings that differ from those of another instance. */
  readonly differing_settings: ReadonlyArray<string>
}

export type InstanceList = {
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
