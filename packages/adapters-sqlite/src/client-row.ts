import type { JsonObject, RegisteredClient } from '@clientele/domain'
import {
  ClientId,
  EpochSeconds,
  Privileges,
  RegisteredBy,
  TokenHash,
  isJsonObject,
  maximumDepth,
  permittedWhenStored,
  readMembers,
  withDefaults,
} from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { keptByText } from './kept-by-text.js'
import type { Sealing } from './sealing.js'

const nullable = <Type extends t.Mixed>(type: Type): t.UnionC<[Type, t.NullC]> => t.union([type, t.null])

/** A row of the table clients. */
export const ClientRow = t.readonly(
  t.type({
    ordinal: t.number,
    client_id: ClientId,
    version: t.number,
    client_id_issued_at: EpochSeconds,
    client_secret: nullable(t.string),
    client_secret_expires_at: nullable(EpochSeconds),
    registration_access_token: t.string,
    registration_access_token_hash: TokenHash,
    registered_by: RegisteredBy,
    privileges: t.string,
    metadata: t.string,
  }),
)
export interface ClientRow extends t.TypeOf<typeof ClientRow> {}
/** A row before it has its place. */
export type NewClientRow = Omit<ClientRow, 'ordinal'>

const secretContext = (clientId: string): string => `client_secret of ${clientId}`
const tokenContext = (clientId: string): string => `registration_access_token of ${clientId}`

export const toClientRow =
  (sealing: Sealing) =>
  (client: RegisteredClient): NewClientRow => ({
    client_id: client.client_id,
    version: client.version,
    client_id_issued_at: client.client_id_issued_at,
    client_secret:
      client.secret === undefined ? null : sealing.seal(client.secret.client_secret, secretContext(client.client_id)),
    client_secret_expires_at: client.secret?.client_secret_expires_at ?? null,
    registration_access_token: sealing.seal(client.registration_access_token.token, tokenContext(client.client_id)),
    registration_access_token_hash: client.registration_access_token.hash,
    registered_by: client.registered_by,
    privileges: JSON.stringify(client.privileges),
    metadata: JSON.stringify(client.metadata),
  })

/** Why a row cannot be read: the column alone, never what it holds. */
type Unreadable = string

const unreadable = (part: string): E.Either<Unreadable, never> => E.left(`${part} of a stored client cannot be read`)

const jsonObject = (text: string): O.Option<JsonObject> =>
  pipe(
    O.tryCatch((): unknown => JSON.parse(text)),
    O.filter(isJsonObject(maximumDepth + 1)),
  )

const metadataOf = ({ metadata: text }: ClientRow): E.Either<Unreadable, RegisteredClient['metadata']> => {
  const json = jsonObject(text)
  if (O.isNone(json)) return unreadable('metadata')
  const { metadata, faults } = readMembers(json.value)
  return faults.length === 0 ? E.right(permittedWhenStored(withDefaults(metadata))) : unreadable('metadata')
}

const privilegesOf = (text: string): E.Either<Unreadable, Privileges> =>
  pipe(
    jsonObject(text),
    O.flatMap((json) => O.fromEither(Privileges.decode(json))),
    O.matchW(() => unreadable('privileges'), E.right),
  )

const secretOf = (sealing: Sealing, row: ClientRow): E.Either<Unreadable, RegisteredClient['secret']> => {
  const { client_secret: sealed, client_secret_expires_at } = row
  if (sealed === null && client_secret_expires_at === null) return E.right(undefined)
  if (sealed === null || client_secret_expires_at === null) return unreadable('client_secret')
  const opened = sealing.open(sealed, secretContext(row.client_id))
  return O.isSome(opened)
    ? E.right({ client_secret: opened.value, client_secret_expires_at })
    : unreadable('client_secret')
}

const tokenOf = (
  sealing: Sealing,
  row: ClientRow,
): E.Either<Unreadable, RegisteredClient['registration_access_token']> => {
  const opened = sealing.open(row.registration_access_token, tokenContext(row.client_id))
  return O.isSome(opened)
    ? E.right({ token: opened.value, hash: row.registration_access_token_hash })
    : unreadable('registration_access_token')
}

/** The client of a row, whole or not at all. */
export const fromClientRow = (sealing: Sealing): ((row: unknown) => E.Either<Unreadable, RegisteredClient>) => {
  // Because most clients were allowed what many others were.
  const privilegesIn = keptByText(privilegesOf)
  return (row) => {
    // Every column holds its value as it is, so that what is judged need not be made anew.
    if (!ClientRow.is(row)) return unreadable('a column')
    const metadata = metadataOf(row)
    if (E.isLeft(metadata)) return metadata
    const privileges = privilegesIn(row.privileges)
    if (E.isLeft(privileges)) return privileges
    const secret = secretOf(sealing, row)
    if (E.isLeft(secret)) return secret
    return pipe(
      tokenOf(sealing, row),
      E.map((registration_access_token) => ({
        client_id: row.client_id,
        client_id_issued_at: row.client_id_issued_at,
        secret: secret.right,
        registration_access_token,
        registered_by: row.registered_by,
        privileges: privileges.right,
        metadata: metadata.right,
        version: row.version,
      })),
    )
  }
}
