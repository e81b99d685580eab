// The public keys of other signers, in the order in which they were added.
import { type AuditRow, type Encryption, ForeignKey, type ForeignKeys } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { change } from './statement.js'
import { type RowIn, readRows, table, text } from './table.js'
import { type Engine, verb } from './verb.js'

export const foreignKeys = table({
  name: 'foreign_keys',
  columns: { kid: text(t.string), key: text(t.string), proof: text(t.string) },
  key: ['kid'],
  sealed: 'proof',
  // So that a writer of the database cannot add a verification key.
  proves: ['kid', 'key'],
  value: ({ key }) =>
    pipe(
      O.tryCatch((): unknown => JSON.parse(key)),
      O.flatMap((json) => O.fromEither(ForeignKey.decode(json))),
    ),
  unreadable: 'a key of another signer cannot be read',
})

const all = foreignKeys.select('TRUE ORDER BY ordinal', {})
const insert = foreignKeys.insert()
const remove = change('DELETE FROM foreign_keys WHERE kid = :kid', { kid: 'text' })

type Adding = { readonly rows: ReadonlyArray<RowIn<typeof foreignKeys>>; readonly audit: AuditRow | undefined }

// A kid that is stored already violates the constraint of the table: then nothing is written.
const addForeignKeys = verb<Adding, never, undefined>(
  () => ({}),
  async (tx, { rows, audit }) => {
    await Promise.all(rows.map(async (row) => tx.run(insert, row)))
    await tx.note(audit)
    return E.right(undefined)
  },
)

type Removing = { readonly kid: string; readonly audit: AuditRow | undefined }

const removeForeignKey = verb<Removing, never, boolean>(
  () => ({}),
  async (tx, { kid, audit }) => {
    const isRemoved = (await tx.run(remove, { kid })) > 0
    if (isRemoved) await tx.note(audit)
    return E.right(isRemoved)
  },
)

export const createForeignKeys = (engine: Engine, encryption: Encryption): ForeignKeys => ({
  readForeignKeys: readRows(foreignKeys.reading(encryption))(engine.all(all, {})),
  addForeignKeys: (keys, audit) =>
    engine.write(
      addForeignKeys,
      pipe(
        keys,
        TE.traverseArray((key) =>
          foreignKeys.seal(encryption, { kid: key.kid, key: JSON.stringify(ForeignKey.encode(key)) }),
        ),
        TE.map((rows) => ({ rows, audit })),
      ),
    ),
  removeForeignKey: (kid, audit) => engine.write(removeForeignKey, TE.right({ kid, audit })),
})
