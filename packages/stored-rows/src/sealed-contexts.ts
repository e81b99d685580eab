import { EpochSeconds, Subject } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { ArtefactRow, artefactContext } from './artefact-row.js'
import { AuthorizationRow, authorizationContext } from './authorization-row.js'
import { ClientRow, clientContext } from './client-row.js'
import { ConsentRow, consentContext } from './consent-row.js'
import { ForeignKeyRow, foreignKeyContext } from './foreign-key-row.js'
import { TokenRow, tokenRowContext } from './initial-access-token-row.js'
import { KeyRingRow, ringContext } from './key-ring-row.js'
import { OperatorTokenRow, operatorTokenContext } from './operator-token-row.js'
import { sessionContext } from './session-row.js'

type ContextOf = (row: unknown) => O.Option<string>

const context =
  <Row>(codec: t.Decoder<unknown, Row>, of: (row: Row) => string): ContextOf =>
  (row) =>
    pipe(codec.decode(row), E.map(of), O.fromEither)

const SessionColumns = t.type({
  cookie_hash: t.string,
  sid: Subject,
  sub: Subject,
  auth_time: EpochSeconds,
  idle_lifetime: t.number,
  expires_at: EpochSeconds,
})

/** By table, the context of the sealed column of a row; none for an unreadable row. */
export const sealedContexts = {
  secrets: context(t.type({ name: t.string }), ({ name }) => name),
  key_rings: context(KeyRingRow, ringContext),
  initial_access_tokens: context(TokenRow, tokenRowContext),
  operator_tokens: context(OperatorTokenRow, operatorTokenContext),
  end_user_sessions: context(SessionColumns, (row) => sessionContext(row.cookie_hash, row)),
  authorizations: context(AuthorizationRow, authorizationContext),
  artefacts: context(ArtefactRow, artefactContext),
  consents: context(ConsentRow, consentContext),
  foreign_keys: context(ForeignKeyRow, foreignKeyContext),
  clients: context(ClientRow, clientContext),
  removed_clients: context(ClientRow, clientContext),
} as const
