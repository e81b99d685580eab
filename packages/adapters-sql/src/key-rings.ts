// The key rings, one for each algorithm and use: decided by the clock of the store, and replaced all or none.
import { type Unavailable, EpochSeconds, unavailable } from '@clientele/domain/kernel'
import { KeyRing, isInTime, maxStoringTime } from '@clientele/domain/keys'
import {
  type Encryption,
  type KeyRingChange,
  type KeyRings,
  type UnreadableKeyRing,
  keyRingChanged,
  unreadableKeyRing,
} from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { change, statement } from './statement.js'
import { number, table, text } from './table.js'
import { type Engine, verb } from './verb.js'

const ringIn = (text: string): O.Option<KeyRing> =>
  pipe(
    O.tryCatch((): unknown => JSON.parse(text)),
    O.flatMap((json) => O.fromEither(KeyRing.decode(json))),
  )

export const keyRings = table({
  name: 'key_rings',
  columns: { alg: text(t.string), use: text(t.string), version: number(t.number), sealed: text(t.string) },
  key: ['alg', 'use'],
  sealed: 'sealed',
  proves: ({ alg, use, version }) => `key ring ${alg} ${use}, version ${version}`,
  value: ({ alg, use, version }, opened) =>
    pipe(
      ringIn(opened),
      O.filter((ring) => ring.alg === alg && ring.use === use && ring.version === version),
    ),
  unreadable: 'a key ring cannot be read',
})

const Named = t.type({ alg: t.string })

const all = keyRings.select('TRUE ORDER BY use DESC, alg', {})
const versions = statement(
  'SELECT alg, use, version FROM key_rings',
  {},
  t.type({ alg: t.string, use: t.string, version: t.number }),
)
const insert = keyRings.insert('ON CONFLICT (alg, use) DO NOTHING')
const replace = change(
  'UPDATE key_rings SET version = :version, sealed = :sealed WHERE alg = :alg AND use = :use AND version = :replacing',
  { alg: 'text', use: 'text', version: 'number', sealed: 'text', replacing: 'number' },
)

const Time = t.type({ seconds: EpochSeconds })
const clock = 'floor(extract(epoch FROM clock_timestamp()))::bigint AS seconds'
const time = statement({ sqlite: 'SELECT unixepoch() AS seconds', postgresql: `SELECT ${clock}` }, {}, Time)
// PostgreSQL looks at its clock once more in the COMMIT, before which this process may stand still.
const timeOfChange = statement(
  {
    sqlite: 'SELECT unixepoch() AS seconds',
    postgresql: `SELECT ${clock}, set_config('clientele.rings_before', CAST(:before AS text), true)`,
  },
  { before: 'number' },
  Time,
)

const sealRing =
  (encryption: Encryption) =>
  ({ next, replacing }: KeyRingChange) =>
    pipe(
      keyRings.seal(
        encryption,
        { alg: next.alg, use: next.use, version: next.version },
        JSON.stringify(KeyRing.encode(next)),
      ),
      TE.map((row) => ({ ...row, replacing: O.isSome(replacing) ? replacing.value.version : null })),
    )

/** `now` is the clock in place of that of the database. */
export const createKeyRings = (engine: Engine, encryption: Encryption, now?: () => EpochSeconds): KeyRings => {
  const read = keyRings.reading(encryption)
  const readRing = (row: unknown): TE.TaskEither<UnreadableKeyRing | Unavailable, KeyRing> =>
    pipe(
      read(row),
      TE.mapLeft((failure) =>
        failure.error === 'unreadable_row'
          ? unreadableKeyRing(Named.is(row) ? row.alg : 'an unknown algorithm')
          : failure,
      ),
    )
  return {
    confirmReads: engine.confirmReads,
    readStoreTime:
      now === undefined
        ? pipe(
            engine.get(time, {}),
            TE.flatMapNullable(
              (row) => row?.seconds,
              () => unavailable('the database does not tell the time'),
            ),
          )
        : TE.fromIO(now),
    readKeyRingVersions: engine.all(versions, {}),
    readKeyRings: pipe(engine.all(all, {}), TE.flatMap(TE.traverseArray(readRing))),
    replaceKeyRings: (changes, decidedAt, audit) =>
      engine.write(
        pipe(
          changes,
          TE.traverseArray(sealRing(encryption)),
          TE.flatMap((rings) =>
            verb({ changes: ['key rings'] }, async (tx) => {
              const present = now?.() ?? (await tx.get(timeOfChange, { before: decidedAt + maxStoringTime }))?.seconds
              if (present === undefined || !isInTime(decidedAt, present)) return E.left(keyRingChanged)
              for (const ring of rings) {
                const written = ring.replacing === null ? tx.run(insert, ring) : tx.run(replace, ring)
                if ((await written) === 0) return E.left(keyRingChanged)
              }
              await tx.note(audit)
              return E.right(undefined)
            }),
          ),
        ),
      ),
  }
}
