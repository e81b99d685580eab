import {
  type ClientAuthorization,
  type Encryption,
  ClientId,
  EpochSeconds,
  RegistrationId,
  TokenHash,
  isParsedObject,
} from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { requireProof, rowContext } from './row-context.js'
import { type ReadRow, type UnreadableRow, unreadableRow } from './read-row.js'

/** A row of the table authorizations, with the ids of its client. */
export const AuthorizationRow = t.type({
  kind: t.keyof({ refresh_token: null, access_token: null, sticky_grant: null }),
  hash: TokenHash,
  client_id: ClientId,
  registration_id: RegistrationId,
  expires_at: EpochSeconds,
  details: t.string,
  session: t.union([t.string, t.null]),
  offline: t.number,
  proof: t.string,
})

type Proven = Omit<t.TypeOf<typeof AuthorizationRow>, 'registration_id' | 'proof'>

/** The context of the proof of an authorization: it binds the client and the details. */
export const authorizationContext = (row: Proven): string =>
  rowContext('authorizations', [
    row.kind,
    row.hash,
    row.client_id,
    row.expires_at,
    row.details,
    row.session,
    row.offline,
  ])

const unreadable = unreadableRow('a recorded authorization cannot be read')

const toAuthorization = (row: t.TypeOf<typeof AuthorizationRow>): E.Either<UnreadableRow, ClientAuthorization> =>
  pipe(
    O.tryCatch((): unknown => JSON.parse(row.details)),
    O.filter(isParsedObject),
    O.map((details) => ({
      kind: row.kind,
      hash: row.hash,
      client_id: row.client_id,
      registration_id: row.registration_id,
      expires_at: row.expires_at,
      details,
      ...(row.session === null ? {} : { session: row.session }),
      ...(row.offline === 0 ? {} : { offline: true }),
    })),
    E.fromOption(() => unreadable),
  )

/** The authorization of a row. */
export const fromAuthorizationRow =
  (encryption: Encryption): ReadRow<ClientAuthorization> =>
  (input) =>
    pipe(
      TE.fromEither(AuthorizationRow.decode(input)),
      TE.mapLeft(() => unreadable),
      TE.tap((row) => requireProof(encryption, row.proof, authorizationContext(row), unreadable)),
      TE.flatMapEither(toAuthorization),
    )

/** The columns that the proof binds. */
export const toAuthorizationRow = ({
  kind,
  hash,
  client_id,
  expires_at,
  details,
  session,
  offline,
}: ClientAuthorization): Proven => ({
  kind,
  hash,
  client_id,
  expires_at,
  details: JSON.stringify(details),
  session: session ?? null,
  offline: offline === true ? 1 : 0,
})
