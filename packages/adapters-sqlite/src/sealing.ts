import type { Option } from 'fp-ts/lib/Option.js'

/** Supplied by whoever opens the store: a text that is sealed under a context opens only under the same context. */
export type Sealing = {
  readonly seal: (plain: string, context: string) => string
  readonly open: (sealed: string, context: string) => Option<string>
  /** Whether the text was sealed with the key that seals now: all others are to be sealed anew. */
  readonly isCurrent: (sealed: string) => boolean
  /** Opens a text of the schema before version 5, when values were sealed with the encryption key itself. */
  readonly openEarlier: (sealed: string, context: string) => Option<string>
}

type Column = string | number | null

/**
 * The context of a row: all columns that decide, so that a row of which one is changed does not open. Lengths tell where a
 * column ends, so that no two rows have the same context.
 */
export const rowContext = (table: string, columns: ReadonlyArray<Column>): string =>
  `${table}${columns.map((column) => (column === null ? ',-' : `,${String(column).length}:${column}`)).join('')}`

/** Proves that a row is what this service wrote, where the row has nothing to hide. */
export const prove = ({ seal }: Sealing, context: string): string => seal('', context)

export const isProven = ({ open }: Sealing, proof: string, context: string): boolean =>
  open(proof, context)._tag === 'Some'
