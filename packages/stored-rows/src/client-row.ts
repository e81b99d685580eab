import {
  type Encryption,
  type RegisteredClient,
  type Unavailable,
  ClientId,
  EpochSeconds,
  Privileges,
  RegisteredBy,
  RegistrationId,
  TokenHash,
  isParsedObject,
  storedMetadata,
} from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type ReadRow, type UnreadableRow, unreadableRow } from './read-row.js'
import { memoizeByText } from './memoize-by-text.js'
import { type ProvenanceColumns, provenanceIn, toProvenanceColumns } from './provenance-columns.js'
import { rowContext } from './row-context.js'

/** A row of the table clients. */
export const ClientRow = t.readonly(
  t.type({
    ordinal: t.number,
    client_id: ClientId,
    registration_id: RegistrationId,
    version: t.number,
    client_id_issued_at: EpochSeconds,
    client_secret_expires_at: t.union([EpochSeconds, t.null]),
    registration_access_token_hash: TokenHash,
    /** Finds the client by its preceding token, if that is in the sealed text as well. */
    preceding_token_hash: t.union([TokenHash, t.null]),
    registered_by: RegisteredBy,
    privileges: t.string,
    metadata: t.string,
    suspended_at: t.union([EpochSeconds, t.null]),
    /** Since when it waits for its first use; null where that is client_id_issued_at. Nothing binds it. */
    waits_since: t.union([EpochSeconds, t.null]),
    /** The provenance: no decision of a request of the client depends on it, so that nothing binds it. */
    token_fingerprint: t.union([t.string, t.null]),
    statement_issuer: t.union([t.string, t.null]),
    imported: t.number,
    /** Both credentials in one sealed text; its context contains all of these columns but ordinal, registration_id, preceding_token_hash, waits_since and the provenance. */
    credentials: t.string,
  }),
)
export interface ClientRow extends t.TypeOf<typeof ClientRow> {}
/** A row before it is inserted. */
export type NewClientRow = Omit<ClientRow, 'ordinal'>

/**
 * The plaintext of the sealed column. The preceding token is here and not in the context, so that the release before reads
 * the row, and ends that token with each replacement, though it leaves the column.
 */
const Credentials = t.readonly(
  t.intersection([
    t.type({ registration_access_token: t.string }),
    t.partial({
      client_secret: t.string,
      preceding_token: t.readonly(t.type({ hash: TokenHash, until: EpochSeconds })),
    }),
  ]),
)

/** The context of a client's credentials: a row with a changed column cannot be decrypted. */
export const clientContext = (
  row: Omit<
    NewClientRow,
    'registration_id' | 'credentials' | 'preceding_token_hash' | 'waits_since' | keyof ProvenanceColumns
  >,
): string =>
  rowContext('clients', [
    row.client_id,
    row.version,
    row.client_id_issued_at,
    row.client_secret_expires_at,
    row.registration_access_token_hash,
    row.registered_by,
    row.privileges,
    row.metadata,
    // Rows of clients that are not suspended are sealed as they were before there was this column.
    ...(row.suspended_at === null ? [] : [row.suspended_at]),
  ])

// Most clients have the same privileges, as the same object, as the client before.
const privilegesText = (): ((privileges: Privileges) => string) => {
  let known: Privileges | undefined = undefined
  let text: string = ''
  return (privileges) => {
    if (privileges !== known) [known, text] = [privileges, JSON.stringify(privileges)]
    return text
  }
}

export const toClientRow = (
  encryption: Encryption,
): ((client: RegisteredClient) => TE.TaskEither<Unavailable, NewClientRow>) => {
  const textOf = privilegesText()
  return (client) => {
    const { secret, registration_access_token } = client
    const columns = {
      client_id: client.client_id,
      registration_id: client.registration_id,
      version: client.version,
      client_id_issued_at: client.client_id_issued_at,
      client_secret_expires_at: secret?.client_secret_expires_at ?? null,
      registration_access_token_hash: registration_access_token.hash,
      preceding_token_hash: client.preceding_token?.hash ?? null,
      registered_by: client.registered_by,
      privileges: textOf(client.privileges),
      metadata: JSON.stringify(client.metadata),
      suspended_at: client.suspended_at ?? null,
      waits_since: client.waits_since ?? null,
      ...toProvenanceColumns(client.provenance),
    }
    const credentials = {
      client_secret: secret?.client_secret,
      registration_access_token: registration_access_token.token,
      preceding_token: client.preceding_token,
    }
    return pipe(
      encryption.seal(JSON.stringify(credentials), clientContext(columns)),
      TE.map((sealed) => ({ credentials: sealed, ...columns })),
    )
  }
}

const unreadable = (part: string): E.Either<UnreadableRow, never> =>
  E.left(unreadableRow(`${part} of a stored client cannot be read`))

const notAsWritten = E.left(unreadableRow('a row of a stored client is not as it was written, and cannot be read'))

const json = (text: string): O.Option<unknown> => O.tryCatch((): unknown => JSON.parse(text))

const privilegesOf = (text: string): E.Either<UnreadableRow, Privileges> =>
  pipe(
    json(text),
    O.flatMap((value) => O.fromEither(Privileges.decode(value))),
    O.matchW(() => unreadable('privileges'), E.right),
  )

const secretOf = (
  client_secret: string | undefined,
  client_secret_expires_at: EpochSeconds | null,
): RegisteredClient['secret'] =>
  client_secret === undefined || client_secret_expires_at === null
    ? undefined
    : { client_secret, client_secret_expires_at }

type LeftOut = Pick<RegisteredClient, 'suspended_at' | 'waits_since' | 'preceding_token' | 'provenance'>

/** What is left out of a client where there is none. */
const leftOut = (row: ClientRow, preceding_token: LeftOut['preceding_token']): LeftOut => {
  const provenance = provenanceIn(row)
  return {
    ...(preceding_token === undefined ? {} : { preceding_token }),
    ...(row.suspended_at === null ? {} : { suspended_at: row.suspended_at }),
    ...(row.waits_since === null ? {} : { waits_since: row.waits_since }),
    ...(provenance === undefined ? {} : { provenance }),
  }
}

/** The client of a row with decrypted credentials. */
const clientOf =
  (privilegesIn: typeof privilegesOf) =>
  (row: ClientRow, opened: string): E.Either<UnreadableRow, RegisteredClient> => {
    const credentials = json(opened)
    if (O.isNone(credentials) || !Credentials.is(credentials.value)) return notAsWritten
    const metadata = json(row.metadata)
    if (O.isNone(metadata) || !isParsedObject(metadata.value)) return unreadable('metadata')
    const privileges = privilegesIn(row.privileges)
    if (E.isLeft(privileges)) return privileges
    const { client_secret, registration_access_token, preceding_token } = credentials.value
    const client: RegisteredClient = {
      client_id: row.client_id,
      registration_id: row.registration_id,
      client_id_issued_at: row.client_id_issued_at,
      secret: secretOf(client_secret, row.client_secret_expires_at),
      registration_access_token: { token: registration_access_token, hash: row.registration_access_token_hash },
      registered_by: row.registered_by,
      privileges: privileges.right,
      metadata: storedMetadata(metadata.value),
      version: row.version,
    }
    return E.right({ ...client, ...leftOut(row, preceding_token) })
  }

/**
 * The client of a row. Its decrypted credentials prove that the row is as it was written, so that the metadata is not
 * judged again and every written client can be read.
 */
export const fromClientRow = (encryption: Encryption): ReadRow<RegisteredClient> => {
  // Many clients have the same privileges.
  const read = clientOf(memoizeByText(privilegesOf))
  return (row) => async () => {
    // The codecs do not change their columns, so that the row is used as it is.
    if (!ClientRow.is(row)) return unreadable('a column')
    const opened = await encryption.open(row.credentials, clientContext(row))()
    if (E.isLeft(opened)) return opened
    return O.isNone(opened.right) ? notAsWritten : read(row, opened.right.value)
  }
}
