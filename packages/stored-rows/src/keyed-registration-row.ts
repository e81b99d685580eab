import { ClientId, EpochSeconds, type KeyedRegistration, RegistrationId, TokenHash } from '@clientele/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import { type ReadRow, unreadableRow } from './read-row.js'

const KeyedRegistrationRow = t.type({
  key: TokenHash,
  client_id: ClientId,
  registration_id: RegistrationId,
  request: TokenHash,
  expires_at: EpochSeconds,
})

/** The row needs no proof: the domain compares its digest, which has all columns. */
export const fromKeyedRegistrationRow: ReadRow<KeyedRegistration> = (row) =>
  KeyedRegistrationRow.is(row) ? TE.right(row) : TE.left(unreadableRow('keyed registration'))
