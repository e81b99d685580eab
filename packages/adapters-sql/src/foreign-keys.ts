// The public keys of other signers, in the order in which they were added.
import { ForeignKey } from '@clientele/domain/keys'
import type { Encryption, ForeignKeys } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { change } from './statement.js'
import { readRows, table, text } from './table.js'
import { type Engine, removalOf, verb } from './verb.js'

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

export const createForeignKeys = (engine: Engine, encryption: Encryption): ForeignKeys => ({
  readForeignKeys: readRows(foreignKeys.reading(encryption))(engine.all(all, {})),
  // A kid that is stored already violates the constraint of the table: then nothing is written.
  addForeignKeys: (keys, audit) =>
    engine.write(
      pipe(
        keys,
        TE.traverseArray((key) =>
          foreignKeys.seal(encryption, { kid: key.kid, key: JSON.stringify(ForeignKey.encode(key)) }),
        ),
        TE.flatMap((rows) =>
          verb({}, async (tx) => {
            await Promise.all(rows.map(async (row) => tx.run(insert, row)))
            await tx.note(audit)
            return E.right(undefined)
          }),
        ),
      ),
    ),
  removeForeignKey: (kid, audit) => engine.write(removalOf({}, remove, { kid }, audit)),
})
