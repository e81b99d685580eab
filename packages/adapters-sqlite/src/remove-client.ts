import { type ClientRegistry, type Encryption, unknownClient } from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { attempt } from './attempt.js'
import { createRecordEvent, sealEvent } from './provider-events.js'
import { createTokenIndex } from './token-index.js'
import type { WriteQueue } from './write-queue.js'

const selectRegistration = 'SELECT registration_id FROM clients WHERE client_id = ?'
const deleteClient = `
DELETE FROM clients WHERE client_id = @id AND registration_id = @registration_id
  AND (@token IS NULL OR registration_access_token_hash = @token)`

/** The columns that are read of the removed client; other columns may be unreadable. */
const Registered = t.type({ registration_id: t.string })

/** The event is sealed before the transaction, which removes the client if it is the one in the event. */
export const createRemoveClient = (
  db: Database.Database,
  queue: WriteQueue,
  encryption: Encryption,
): ClientRegistry['removeClient'] => {
  const registered = db.prepare(selectRegistration)
  const { rowOf } = createTokenIndex(db)
  const remove = db.prepare(deleteClient)
  const recordEvent = createRecordEvent(db)
  return (id, token) =>
    queue.writePrepared(
      pipe(
        attempt(() => (O.isSome(token) ? rowOf(id, token.value) : registered.get(id))),
        TE.filterOrElseW(Registered.is, () => unknownClient),
        TE.bindW('deleted', ({ registration_id }) =>
          sealEvent(encryption, { event: 'client_deleted', client_id: id, registration_id }),
        ),
      ),
      ({ registration_id, deleted }) => {
        if (remove.run({ id, registration_id, token: O.toNullable(token) }).changes === 0) return E.left(unknownClient)
        recordEvent(deleted)
        return E.right(undefined)
      },
    )
}
