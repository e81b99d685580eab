import type { Encryption, Unavailable } from '@clientele/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import type { UnreadableRow } from './read-row.js'

type Column = string | number | null

/**
 * The context of a row: all columns that decisions depend on, so that a row with a changed column cannot be decrypted.
 * The lengths separate the columns, so that different rows have different contexts.
 */
export const rowContext = (table: string, columns: ReadonlyArray<Column>): string =>
  `${table}${columns.map((column) => (column === null ? ',-' : `,${String(column).length}:${column}`)).join('')}`

/** Proves that this service wrote a row that has no sealed value. */
export const prove = ({ seal }: Encryption, context: string): TE.TaskEither<Unavailable, string> => seal('', context)

/** Refuses a row whose proof does not match its context. */
export const requireProof = (
  { open }: Encryption,
  proof: string,
  context: string,
  refusal: UnreadableRow,
): TE.TaskEither<UnreadableRow | Unavailable, string> =>
  pipe(
    open(proof, context),
    TE.flatMapOption(identity, (): UnreadableRow | Unavailable => refusal),
  )
