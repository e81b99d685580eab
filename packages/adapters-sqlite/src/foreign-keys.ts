import type { ForeignKeys } from '@clientele/domain'
import { ForeignKey, unavailable } from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { attempt } from './attempt.js'
import type { Sealing } from '@clientele/domain'
import { isProven, prove, rowContext } from './row-context.js'
import type { WriteQueue } from './write-queue.js'

const selectKeys = 'SELECT kid, key, proof FROM foreign_keys ORDER BY ordinal'
const insertKey = 'INSERT INTO foreign_keys (kid, key, proof) VALUES (@kid, @key, @proof)'
const deleteKey = 'DELETE FROM foreign_keys WHERE kid = ?'

/** A row of the table foreign_keys. */
export const ForeignKeyRow = t.type({ kid: t.string, key: t.string, proof: t.string })

type Proven = Pick<t.TypeOf<typeof ForeignKeyRow>, 'kid' | 'key'>

/** The context of the proof of a key: one that nobody imported would verify what anybody signed. */
export const foreignKeyContext = ({ kid, key }: Proven): string => rowContext('foreign_keys', [kid, key])

const toRow = (key: ForeignKey): Proven => ({ kid: key.kid, key: JSON.stringify(ForeignKey.encode(key)) })

const fromRow =
  (sealing: Sealing) =>
  (input: unknown): E.Either<string, ForeignKey> =>
    pipe(
      ForeignKeyRow.decode(input),
      O.fromEither,
      O.filter((row) => isProven(sealing, row.proof, foreignKeyContext(row))),
      O.flatMap(({ key }) => O.tryCatch((): unknown => JSON.parse(key))),
      O.flatMap((json) => O.fromEither(ForeignKey.decode(json))),
      E.fromOption(() => 'a key of another signer cannot be read'),
    )

export const createForeignKeys = (db: Database.Database, queue: WriteQueue, sealing: Sealing): ForeignKeys => {
  const all = db.prepare(selectKeys)
  const insert = db.prepare(insertKey)
  const remove = db.prepare(deleteKey)
  const read = fromRow(sealing)
  return {
    readForeignKeys: pipe(
      attempt(() => all.all()),
      TE.flatMapEither((rows) => pipe(rows, E.traverseArray(read), E.mapLeft(unavailable))),
    ),
    addForeignKeys: (keys) =>
      queue.write(() => {
        for (const row of keys.map(toRow)) insert.run({ ...row, proof: prove(sealing, foreignKeyContext(row)) })
        return E.right(undefined)
      }),
    removeForeignKey: (kid) => queue.write(() => E.right(remove.run(kid).changes === 1)),
  }
}
