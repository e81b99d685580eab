import {
  type Encryption,
  type EpochSeconds,
  type KeyRing,
  type KeyRingChange,
  type KeyRingChanged,
  type KeyRings,
  type Unavailable,
  epochSeconds,
  isInTime,
  keyRingChanged,
  unavailable,
} from '@clientele/domain'
import { type KeyRingRow, KeyRingVersions, fromKeyRingRow, toKeyRingRow } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Connection } from './connection.js'
import { createWriteAudit } from './write-audit.js'

const selectRings = 'SELECT alg, use, version, sealed FROM key_rings ORDER BY use DESC, alg'
const selectVersions = 'SELECT alg, use, version FROM key_rings'
const selectVersion = 'SELECT version FROM key_rings WHERE alg = ? AND use = ?'
const upsertRing = `
INSERT INTO key_rings (alg, use, version, sealed) VALUES (@alg, @use, @version, @sealed)
ON CONFLICT (alg, use) DO UPDATE SET version = excluded.version, sealed = excluded.sealed`

type SealedChange = { readonly row: KeyRingRow; readonly replacing: number | undefined }

const sealedChange =
  (encryption: Encryption) =>
  ({ next, replacing }: KeyRingChange): TE.TaskEither<Unavailable, SealedChange> =>
    pipe(
      toKeyRingRow(encryption)(next),
      TE.map((row) => ({ row, replacing: O.toUndefined(O.map((ring: KeyRing) => ring.version)(replacing)) })),
    )

export const createKeyRings = (
  { db, read, queue }: Connection,
  encryption: Encryption,
  now: () => EpochSeconds = () => epochSeconds(Date.now()),
): KeyRings => {
  const all = db.prepare(selectRings)
  const versions = db.prepare(selectVersions)
  const version = db.prepare(selectVersion).pluck()
  const upsert = db.prepare(upsertRing)
  const { writeAfter } = createWriteAudit(db)

  const isAsRead = ({ row, replacing }: SealedChange): boolean => version.get(row.alg, row.use) === replacing

  const replaceAll =
    (decidedAt: EpochSeconds) =>
    (changes: ReadonlyArray<SealedChange>): E.Either<KeyRingChanged, void> => {
      if (!isInTime(decidedAt, now()) || !changes.every(isAsRead)) return E.left(keyRingChanged)
      for (const { row } of changes) upsert.run(row)
      return E.right(undefined)
    }

  return {
    confirmReads: TE.right(undefined),
    // The instances that share a file share the clock of its host.
    readStoreTime: TE.fromIO(now),
    readKeyRingVersions: pipe(
      read(() => versions.all()),
      TE.flatMapEither((rows) => pipe(KeyRingVersions.decode(rows), E.mapLeft(unavailable))),
    ),
    readKeyRings: pipe(
      read(() => all.all()),
      TE.flatMap(TE.traverseArray(fromKeyRingRow(encryption))),
    ),
    replaceKeyRings: (changes, decidedAt, audit) =>
      queue.writePrepared(pipe(changes, TE.traverseArray(sealedChange(encryption))), (sealed) =>
        writeAfter(audit, replaceAll(decidedAt)(sealed)),
      ),
  }
}
