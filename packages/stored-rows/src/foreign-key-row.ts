import { type Encryption, type Unavailable, ForeignKey } from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { prove, requireProof, rowContext } from './row-context.js'
import { type ReadRow, unreadableRow } from './read-row.js'

/** A row of the table foreign_keys. */
export const ForeignKeyRow = t.type({ kid: t.string, key: t.string, proof: t.string })

type Proven = Pick<t.TypeOf<typeof ForeignKeyRow>, 'kid' | 'key'>

/** The context of the proof of a key, so that a writer of the file cannot add a verification key. */
export const foreignKeyContext = ({ kid, key }: Proven): string => rowContext('foreign_keys', [kid, key])

const toRow = (key: ForeignKey): Proven => ({ kid: key.kid, key: JSON.stringify(ForeignKey.encode(key)) })

const unreadable = unreadableRow('a key of another signer cannot be read')

/** The key of a row. */
export const fromForeignKeyRow =
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

/** The row of a key, with its proof. */
export const toForeignKeyRow =
  (encryption: Encryption) =>
  (key: ForeignKey): TE.TaskEither<Unavailable, t.TypeOf<typeof ForeignKeyRow>> => {
    const row = toRow(key)
    return pipe(
      prove(encryption, foreignKeyContext(row)),
      TE.map((proof) => ({ ...row, proof })),
    )
  }
