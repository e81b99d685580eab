// The running instances, by the clock of the database, and the schema that may exclude them. The members of an instance are read
// by instances alone, so that they are one text.
import {
  type AnnouncedInstance,
  type ExcludedBySchema,
  type InstanceRefusal,
  Instance,
  maxUnseen,
  permitInstance,
} from '@clientele/domain/instances'
import { type Unavailable, EpochSeconds, unavailable } from '@clientele/domain/kernel'
import type { Announcement, Instances, StoreRefusal } from '@clientele/domain/ports'
import { type Engine, change, json, orRefuse, statement, verb, verbOf } from '@clientele/adapters-sql'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Database } from './database.js'
import { unusable } from './failures.js'
import { requireMigrated } from './migrate.js'
import { type OpeningOptions, onDatabase } from './open-database.js'
import { migrations } from './schema.js'

const milliseconds = 'CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS bigint)'
const seconds = 'CAST(floor(extract(epoch FROM clock_timestamp())) AS bigint)'
const isUnseen = `seen_at < ${seconds} - ${maxUnseen}`

const Row = t.type({ seen_at: EpochSeconds, instance: t.string })

const forgetUnseen = change(`DELETE FROM instances WHERE ${isUnseen}`, {})
const selectRunning = statement(`SELECT seen_at, instance FROM instances WHERE NOT ${isUnseen}`, {}, Row)
const upsert = statement(
  `
INSERT INTO instances (id, seen_at, instance) VALUES (:id, ${seconds}, :instance)
ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, instance = excluded.instance
RETURNING ${milliseconds} AS announced_at`,
  { id: 'text', instance: 'text' },
  t.type({ announced_at: t.number }),
)
const remove = change('DELETE FROM instances WHERE id = :id', { id: 'text' })

/** The instance of a row; none where a later version of the product has written what this one cannot read. */
const fromRow = ({ seen_at, instance }: t.TypeOf<typeof Row>): ReadonlyArray<AnnouncedInstance> => {
  const read = O.toUndefined(json(instance))
  return Instance.is(read) ? [{ ...read, seen_at }] : []
}

const byStart = (one: Instance, other: Instance): number =>
  one.started_at - other.started_at || (one.id < other.id ? -1 : 1)

const fromRows = (rows: ReadonlyArray<t.TypeOf<typeof Row>>): ReadonlyArray<AnnouncedInstance> =>
  rows.flatMap(fromRow).sort(byStart)

const listRunning = (engine: Engine): TE.TaskEither<Unavailable, ReadonlyArray<AnnouncedInstance>> =>
  pipe(engine.all(selectRunning, {}), TE.map(fromRows))

const selectSchema = statement(
  'SELECT version, works_with FROM schema_version',
  {},
  t.type({ version: t.number, works_with: t.number }),
)

const ofInstances = { changes: ['instances'] }

// One announcement at a time: an instance that another one announces at the same moment is not visible to this one.
const announce = (last: number, instance: Instance) =>
  verb(ofInstances, async (tx): Promise<E.Either<InstanceRefusal, Announcement>> => {
    const schema = await tx.get(selectSchema, {})
    if (schema !== undefined && schema.works_with > last)
      return E.left({ error: 'excluded_by_schema', schema: schema.version })
    const permitted = permitInstance(instance, fromRows(await tx.all(selectRunning, {})))
    if (E.isLeft(permitted)) return permitted
    await tx.run(forgetUnseen, {})
    const announced = await tx.get(upsert, { id: instance.id, instance: JSON.stringify(instance) })
    return E.right({ announced_at: announced?.announced_at ?? 0, differences: permitted.right })
  })

type WriteGuard = {
  /** The engine, of which writes are unavailable while the last announcement found that the schema excludes this code. */
  readonly guarded: Engine
  readonly instances: Instances
}

/** Code that a later migration excludes writes nothing any more. `last` is the schema that this code expects. */
export const guardWrites = (engine: Engine, last: number): WriteGuard => {
  const found: { excludes: ExcludedBySchema | undefined } = { excludes: undefined }
  return {
    guarded: {
      ...engine,
      write: (made) => () =>
        found.excludes === undefined
          ? engine.write(made)()
          : TE.left(unavailable(`schema ${found.excludes.schema} excludes this version of the service`))(),
    },
    instances: {
      announceInstance: (instance) => async () => {
        const announced = await engine.write(announce(last, instance))()
        const refusal = E.isLeft(announced) ? announced.left : undefined
        if (refusal?.error !== 'unavailable')
          found.excludes = refusal?.error === 'excluded_by_schema' ? refusal : undefined
        return announced
      },
      withdrawInstance: (id) => engine.write(verbOf(ofInstances, remove, { id })),
      listInstances: listRunning(engine),
    },
  }
}

/** The instances on an opened database. */
export const instancesOn = async (db: Database): Promise<ReadonlyArray<AnnouncedInstance>> => {
  await requireMigrated(db, migrations)
  return orRefuse(listRunning(db), unusable(db.name))
}

/** The running instances on the database, for an operator with any encryption keys: nothing is opened or sealed. */
export const listInstances = (options: OpeningOptions): TE.TaskEither<StoreRefusal, ReadonlyArray<AnnouncedInstance>> =>
  onDatabase(options, instancesOn)
