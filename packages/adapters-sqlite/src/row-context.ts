import type { Encryption, Unavailable } from '@clientele/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import type { UnreadableRow } from './attempt.js'

type Column = string | number | null

/**
 * The context of a row: all columns that decide, so that a row of which one is changed does not open. Lengths tell where a
 * column ends, so that no two rows have the same context.
 */
export const rowContext = (table: string, columns: ReadonlyArray<Column>): string =>
  `${table}${columns.map((column) => (column === null ? ',-' : `,${String(column).length}:${column}`)).join('')}`

/** Proves that a row is what this service wrote, where the row has nothing to hide. */
export const prove = ({ seal }: Encryption, context: string): TE.TaskEither<Unavailable, string> => seal('', context)

/** Refuses a row whose proof does not open under its context. */
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
