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
type Unreadable = `${string} of a stored client cannot be read`

const unreadable = (part: string) => (): Unreadable => `${part} of a stored client cannot be read`

const jsonObject = (text: string): O.Option<JsonObject> =>
  pipe(
    O.tryCatch((): unknown => JSON.parse(text)),
    O.filter(isJsonObject(maximumDepth + 1)),
  )

const metadataOf = (row: ClientRow): E.Either<Unreadable, RegisteredClient['metadata']> =>
  pipe(
    jsonObject(row.metadata),
    O.map(readMembers),
    O.filter(({ faults }) => faults.length === 0),
    O.map(({ metadata }) => permittedWhenStored(withDefaults(metadata))),
    E.fromOption(unreadable('metadata')),
  )

const privilegesOf = (row: ClientRow): E.Either<Unreadable, Privileges> =>
  pipe(
    jsonObject(row.privileges),
    O.flatMap((json) => O.fromEither(Privileges.decode(json))),
    E.fromOption(unreadable('privileges')),
  )

const secretOf = (sealing: Sealing, row: ClientRow): E.Either<Unreadable, RegisteredClient['secret']> => {
  const { client_secret: sealed, client_secret_expires_at } = row
  if (sealed === null && client_secret_expires_at === null) return E.right(undefined)
  if (sealed === null || client_secret_expires_at === null) return E.left(unreadable('client_secret')())
  return pipe(
    sealing.open(sealed, secretContext(row.client_id)),
    O.map((client_secret) => ({ client_secret, client_secret_expires_at })),
    E.fromOption(unreadable('client_secret')),
  )
}

const tokenOf = (sealing: Sealing, row: ClientRow): E.Either<Unreadable, string> =>
  pipe(
    sealing.open(row.registration_access_token, tokenContext(row.client_id)),
    E.fromOption(unreadable('registration_access_token')),
  )

/** The client of a row, whole or not at all. */
export const fromClientRow =
  (sealing: Sealing) =>
  (input: unknown): E.Either<Unreadable, RegisteredClient> =>
    pipe(
      ClientRow.decode(input),
      E.mapLeft(unreadable('a column')),
      E.bindTo('row'),
      E.bind('metadata', ({ row }) => metadataOf(row)),
      E.bind('privileges', ({ row }) => privilegesOf(row)),
      E.bind('secret', ({ row }) => secretOf(sealing, row)),
      E.bind('token', ({ row }) => tokenOf(sealing, row)),
      E.map(({ row, metadata, privileges, secret, token }) => ({
        client_id: row.client_id,
        client_id_issued_at: row.client_id_issued_at,
        secret,
        registration_access_token: { token, hash: row.registration_access_token_hash },
        registered_by: row.registered_by,
        privileges,
        metadata,
        version: row.version,
      })),
    )
