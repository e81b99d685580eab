// The running instances, by the clock of the database. The members of an instance are read by instances alone, so that
// they are one text.
import {
  type AnnouncedInstance,
  type Announcement,
  EpochSeconds,
  Instance,
  type InstanceRefusal,
  type Instances,
  maxUnseen,
  permitInstance,
} from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Database, Rows, Write } from './database.js'
import type { WriteGuard } from './guard-writes.js'

const milliseconds = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint'
const seconds = 'floor(extract(epoch FROM clock_timestamp()))::bigint'
const isUnseen = `seen_at < ${seconds} - ${maxUnseen}`

// One announcement at a time: an instance that another one announces at the same moment is not visible to this one.
const lockInstances = { name: 'lock_instances', text: 'SELECT pg_advisory_xact_lock(1131175271)' }
const forgetUnseen = { name: 'forget_instances', text: `DELETE FROM instances WHERE ${isUnseen}` }
const selectRunning = {
  name: 'select_instances',
  text: `SELECT seen_at, instance FROM instances WHERE NOT ${isUnseen}`,
}
const upsert = {
  name: 'announce_instance',
  text: `
INSERT INTO instances (id, seen_at, instance) VALUES ($1, ${seconds}, $2)
ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, instance = excluded.instance
RETURNING ${milliseconds} AS announced_at`,
}
const remove = { name: 'withdraw_instance', text: 'DELETE FROM instances WHERE id = $1' }

const Row = t.type({ seen_at: EpochSeconds, instance: t.string })
const Announced = t.type({ announced_at: t.number })

/** The instance of a row; none where a later version of the product has written what this one cannot read. */
const fromRow = (row: unknown): ReadonlyArray<AnnouncedInstance> =>
  pipe(
    O.fromPredicate(Row.is)(row),
    O.flatMap(({ seen_at, instance }) =>
      pipe(
        O.tryCatch((): unknown => JSON.parse(instance)),
        O.filter(Instance.is),
        O.map((read) => ({ ...read, seen_at })),
      ),
    ),
    O.match(
      () => [],
      (read) => [read],
    ),
  )

const byStart = (one: Instance, other: Instance): number =>
  one.started_at - other.started_at || (one.id < other.id ? -1 : 1)

const fromRows = (rows: Rows): ReadonlyArray<AnnouncedInstance> => rows.flatMap(fromRow).sort(byStart)

const announcement = (instance: Instance, look: WriteGuard['look']): Write<InstanceRefusal, Announcement> => ({
  run: async (query) => {
    await query(lockInstances)
    const schema = await look(query)
    if (E.isLeft(schema)) return schema
    await query(forgetUnseen)
    const permitted = permitInstance(instance, fromRows(await query(selectRunning)))
    if (E.isLeft(permitted)) return permitted
    const [announced] = await query(upsert, [instance.id, JSON.stringify(instance)])
    if (!Announced.is(announced)) throw new Error('the database returned no time')
    return E.right({ announced_at: announced.announced_at, differences: permitted.right })
  },
})

export const createInstances = (db: Database, look: WriteGuard['look']): Instances => ({
  announceInstance: (instance) => db.transaction(announcement(instance, look)),
  withdrawInstance: (id) =>
    pipe(
      db.run(remove, [id]),
      TE.map(() => undefined),
    ),
  listInstances: pipe(db.run(selectRunning), TE.map(fromRows)),
})
