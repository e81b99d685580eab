// The command on the instances that share a database.
import { type AnnouncedInstance, settingDifferences } from '@clientele/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Config } from '../config/settings.js'
import { refusalText } from './read-answer.js'
import { throughServiceOrStore } from './through-service-or-store.js'

/** An instance for the operator, without digests. */
export type InstanceDescription = Pick<AnnouncedInstance, 'id' | 'version' | 'started_at' | 'seen_at'> & {
  /** The settings that differ from those of another instance. */
  readonly differing_settings: ReadonlyArray<string>
}

export type InstanceList = { readonly instances: ReadonlyArray<InstanceDescription> }

const describe = (instances: ReadonlyArray<AnnouncedInstance>): InstanceList => ({
  instances: instances.map((each) => ({
    id: each.id,
    version: each.version,
    started_at: each.started_at,
    seen_at: each.seen_at,
    differing_settings: settingDifferences(each, instances).map(({ setting }) => setting),
  })),
})

const oneProcess = 'a SQLite database belongs to one service: instances share a database-url of PostgreSQL'

/** The instances that run on the database; a command is none. */
export const listInstances = (config: Config): TE.TaskEither<string, InstanceList> =>
  throughServiceOrStore(config, {
    service: () => TE.left(oneProcess),
    store: ({ store: { instances } }) =>
      instances === undefined
        ? TE.left(oneProcess)
        : pipe(
            instances.listInstances,
            TE.mapBoth((refusal) => refusalText(refusal, 'the store cannot answer now: try again'), describe),
          ),
  })
