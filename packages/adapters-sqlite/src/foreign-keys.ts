import { type Encryption, type ForeignKeys, type Unavailable, ForeignKey } from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type ReadRow, attemptRows, unreadableRow } from './attempt.js'
import { prove, requireProof, rowContext } from './row-context.js'
import type { WriteQueue } from './write-queue.js'

const selectKeys = 'SELECT kid, key, proof FROM foreign_keys ORDER BY ordinal'
const insertKey = 'INSERT INTO foreign_keys (kid, key, proof) VALUES (@kid, @key, @proof)'
const deleteKey = 'DELETE FROM foreign_keys WHERE kid = ?'

/** A row of the table foreign_keys. */
export const ForeignKeyRow = t.type({ kid: t.string, key: t.string, proof: t.string })

type Proven = Pick<t.TypeOf<typeof ForeignKeyRow>, 'kid' | 'key'>

/** The context of the proof of a key, so that a writer of the file cannot add a verification key. */
export const foreignKeyContext = ({ kid, key }: Proven): string => rowContext('foreign_keys', [kid, key])

const toRow = (key: ForeignKey): Proven => ({ kid: key.kid, key: JSON.stringify(ForeignKey.encode(key)) })

const unreadable = unreadableRow('a key of another signer cannot be read')

const fromRow =
  (encryption: Encryption): ReadRow<ForeignKey> =>
  (input) =>
    pipe(
      TE.fromEither(ForeignKeyRow.decode(input)),
      TE.mapLeft(() => unreadable),
      TE.tap((row) => requireProof(encryption, row.proof, foreignKeyContext(row), unreadable)),
      TE.flatMapOption(
        ({ key }) =>
          pipe(
            O.tryCatch((): unknown => JSON.parse(key)),
            O.flatMap((json) => O.fromEither(ForeignKey.decode(json))),
          ),
        () => unreadable,
      ),
    )

const withProof =
  (encryption: Encryption) =>
  (key: ForeignKey): TE.TaskEither<Unavailable, t.TypeOf<typeof ForeignKeyRow>> => {
    const row = toRow(key)
    return pipe(
      prove(encryption, foreignKeyContext(row)),
      TE.map((proof) => ({ ...row, proof })),
    )
  }

export const createForeignKeys = (db: Database.Database, queue: WriteQueue, encryption: Encryption): ForeignKeys => {
  const all = db.prepare(selectKeys)
  const insert = db.prepare(insertKey)
  const remove = db.prepare(deleteKey)
  return {
    readForeignKeys: attemptRows(() => all.all(), fromRow(encryption)),
    addForeignKeys: (keys) =>
      queue.writePrepared(pipe(keys, TE.traverseArray(withProof(encryption))), (rows) => {
        for (const row of rows) insert.run(row)
        return E.right(undefined)
      }),
    removeForeignKey: (kid) => queue.write(() => E.right(remove.run(kid).changes === 1)),
  }
}
