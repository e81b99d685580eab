// The keys, and the leases of the instances that change them.
import { type Unavailable, EpochSeconds, unavailable } from '@clientele/domain/kernel'
import {
  ForeignKey,
  KeyRing,
  hasVersions,
  isInTime,
  keysOf,
  maxForeignKeys,
  maxStoringTime,
} from '@clientele/domain/keys'
import {
  type Encryption,
  type ForeignKeys,
  type KeyRingChange,
  type KeyRings,
  type Leases,
  type UnreadableKeyRing,
  keyRingChanged,
  unreadableKeyRing,
} from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { change, select, statement } from './statement.js'
import { jsonBy, number, readRows, table, text } from './table.js'
import { type Engine, removalOf, verb, verbOf } from './verb.js'

/** One for each algorithm and use: decided by the clock of the store, and replaced all or none. */
export const keyRings = table({
  name: 'key_rings',
  columns: { alg: text(t.string), use: text(t.string), version: number(t.number), sealed: text(t.string) },
  key: ['alg', 'use'],
  sealed: 'sealed',
  proves: ({ alg, use, version }) => `key ring ${alg} ${use}, version ${version}`,
  value: ({ alg, use, version }, opened) =>
    pipe(
      jsonBy(KeyRing)(opened),
      O.filter((ring) => ring.alg === alg && ring.use === use && ring.version === version),
    ),
  unreadable: 'a key ring cannot be read',
})

const Named = t.type({ alg: t.string })

const allRings = keyRings.select('TRUE ORDER BY use DESC, alg', {})
const versions = select({ alg: t.string, use: t.string, version: t.number }, 'key_rings', {})
const insertRing = keyRings.insert('ON CONFLICT (alg, use) DO NOTHING')
const replaceRing = change(
  'UPDATE key_rings SET version = :version, sealed = :sealed WHERE alg = :alg AND use = :use AND version = :replacing',
  { alg: 'text', use: 'text', version: 'number', sealed: 'text', replacing: 'number' },
)

const foreignKids = select({ kid: t.string }, 'foreign_keys', {})

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
    readKeyRings: pipe(engine.all(allRings, {}), TE.flatMap(TE.traverseArray(readRing))),
    replaceKeyRings: (changes, decidedAt, audit) =>
      pipe(
        changes,
        TE.traverseArray(sealRing(encryption)),
        TE.flatMap((rings) =>
          verb({ changes: ['key rings'] }, async (tx) => {
            const present = now?.() ?? (await tx.get(timeOfChange, { before: decidedAt + maxStoringTime }))?.seconds
            if (present === undefined || !isInTime(decidedAt, present)) return E.left(keyRingChanged)
            // RFC 7517 §4.5: a kid names one key of the set.
            const kids = changes.flatMap(({ next }) => keysOf(next)).map(({ key }) => key.kid)
            if ((await tx.all(foreignKids, {})).some(({ kid }) => kids.includes(kid))) return E.left(keyRingChanged)
            for (const ring of rings) {
              const written = ring.replacing === null ? tx.run(insertRing, ring) : tx.run(replaceRing, ring)
              if ((await written) === 0) return E.left(keyRingChanged)
            }
            await tx.note(audit)
            return E.right(undefined)
          }),
        ),
        engine.write,
      ),
  }
}

/** The public keys of other signers, in the order in which they were added. */
export const foreignKeys = table({
  name: 'foreign_keys',
  columns: { kid: text(t.string), key: text(t.string), proof: text(t.string) },
  key: ['kid'],
  sealed: 'proof',
  // So that a writer of the database cannot add a verification key.
  proves: ['kid', 'key'],
  value: ({ key }) => jsonBy(ForeignKey)(key),
  unreadable: 'a key of another signer cannot be read',
})

const allForeignKeys = foreignKeys.select('TRUE ORDER BY ordinal', {})
const insertForeignKey = foreignKeys.insert()
const removeForeignKey = change('DELETE FROM foreign_keys WHERE kid = :kid', { kid: 'text' })

export const createForeignKeys = (engine: Engine, encryption: Encryption): ForeignKeys => ({
  readForeignKeys: readRows(foreignKeys.reading(encryption))(engine.all(allForeignKeys, {})),
  addForeignKeys: (keys, rings, audit) =>
    pipe(
      keys,
      TE.traverseArray((key) =>
        foreignKeys.seal(encryption, { kid: key.kid, key: JSON.stringify(ForeignKey.encode(key)) }),
      ),
      TE.flatMap((rows) =>
        verb({ changes: ['foreign keys'], relies: ['key rings'] }, async (tx) => {
          const stored = await tx.all(foreignKids, {})
          const isFull = stored.length + rows.length > maxForeignKeys
          if (isFull || stored.some(({ kid }) => rows.some((row) => row.kid === kid))) return E.left(keyRingChanged)
          if (!hasVersions(rings, await tx.all(versions, {}))) return E.left(keyRingChanged)
          await Promise.all(rows.map(async (row) => tx.run(insertForeignKey, row)))
          await tx.note(audit)
          return E.right(undefined)
        }),
      ),
      engine.write,
    ),
  removeForeignKey: (kid, audit) => engine.write(removalOf({}, removeForeignKey, { kid }, audit)),
})

const acquire = change(
  `
INSERT INTO leases (name, holder, until) VALUES (:name, :holder, :until)
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
WHERE leases.holder = excluded.holder OR leases.until <= :at`,
  { name: 'text', holder: 'text', until: 'number', at: 'number' },
)
const release = change('DELETE FROM leases WHERE name = :name AND holder = :holder', { name: 'text', holder: 'text' })

export const createLeases = (engine: Engine): Leases => ({
  acquireLease: (lease, at) =>
    engine.write(verb({}, async (tx) => E.right((await tx.run(acquire, { ...lease, at })) > 0))),
  releaseLease: (name, holder) => engine.write(verbOf({}, release, { name, holder })),
})
