// The rows of clients: as they are stored, as a list reads them, and of those that the service removed by itself; and their use.
import { Privileges, RegisteredBy, TokenHash } from '@clientele/domain/authorization'
import { ClientId, RegistrationId } from '@clientele/domain/client'
import { type Unavailable, EpochSeconds, isParsedObject } from '@clientele/domain/kernel'
import { Unapproved, observedDaysKept, useTime } from '@clientele/domain/life-cycle'
import type { ListedClient } from '@clientele/domain/managing'
import type { ClientUse, Encryption, RemovedClients } from '@clientele/domain/ports'
import {
  type ClientWithUse,
  PrecedingSecret,
  type Provenance,
  type RegisteredClient,
  recordedProvenance,
  storedMetadata,
} from '@clientele/domain/registration'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { change, together } from './statement.js'
import {
  type ReadRow,
  type RowIn,
  type SealedTable,
  json,
  jsonBy,
  number,
  orNull,
  rowContext,
  table,
  text,
  unreadNumber,
  unreadText,
} from './table.js'
import type { Tx } from './verb.js'

// The use of a client in its row: the conditions of unused clients of open registration, in which both databases agree, and
// the statements that record a use.

/** The value of the column unused_open of a parked client; it is 1 for another open client before its first use, and else 0. */
export const parkedMark = 2

/** Since when an unused client waits, as the indexes have it: waitsSince of the domain. */
export const waitsSinceColumn = 'coalesce(waits_since, client_id_issued_at)'

/** A client that may be parked. */
export const mayBeParked = `unused_open = 1 AND suspended_at IS NULL AND approval IS NULL AND registered_by = 'nobody'`

/** A parked client that may be removed: not one that an operator registered, or an import brought. */
export const mayBeRemoved = `unused_open = ${parkedMark} AND suspended_at IS NULL AND approval IS NULL
  AND registered_by = 'nobody' AND imported = 0`

/** The days of its notice, as the index has them; longer than every notice for a client that was parked without one. */
export const noticeColumn = 'coalesce(notice, 1000000)'

/** A parked client whose removal is due (DueRemoval). */
export const isDue = `${mayBeRemoved} AND ${waitsSinceColumn} <= :waitsSince AND parked_at <= :parkedUntil AND notice <= :notice`

const withoutApproval = `approval IS NOT NULL AND suspended_at IS NULL AND imported = 0 AND ${waitsSinceColumn} <= :waitsSince`

/** A client without an approval whose removal is to be announced: since it began to wait, it was not, or with a longer notice. */
export const isToAnnounce = `${withoutApproval}
  AND (parked_at IS NULL OR parked_at < ${waitsSinceColumn} OR ${noticeColumn} > :notice)`

/** One whose removal is due. */
export const isUnapprovedDue = `${withoutApproval}
  AND parked_at >= ${waitsSinceColumn} AND parked_at <= :parkedUntil AND notice <= :notice`

export const dueTypes = { waitsSince: 'number', parkedUntil: 'number', notice: 'number' } as const

// A use is written at the first one, and at the first of a UTC day.
export const setUsed = 'unused_open = 0, used_at = CASE WHEN used_at > :day THEN used_at ELSE :day END'
export const isUsedBefore = '(unused_open > 0 OR used_at IS NULL OR used_at < :day)'
const updateUsed = together(
  change(`UPDATE clients SET ${setUsed} WHERE ordinal = :ordinal AND ${isUsedBefore}`, {
    ordinal: 'number',
    day: 'number',
  }),
)
const insertDay = change('INSERT INTO observed_days (day) VALUES (:day) ON CONFLICT DO NOTHING', { day: 'number' })
const forgetDays = change('DELETE FROM observed_days WHERE day < :day', { day: 'number' })

/** A use on the day would be recorded. */
export const observeDay = async (tx: Tx, at: EpochSeconds): Promise<void> => {
  const day = useTime(at)
  if ((await tx.run(insertDay, { day })) > 0) await tx.run(forgetDays, { day: day - observedDaysKept })
}

/** The clients of the ordinals count as used from now on, unless they did already. The verb relies on the clients. */
export const useClients = async (tx: Tx, ordinals: ReadonlyArray<number>, at: EpochSeconds): Promise<void> => {
  const used = await Promise.all(ordinals.map(async (ordinal) => tx.run(updateUsed, { ordinal, day: useTime(at) })))
  if (used.some((rows) => rows > 0)) await observeDay(tx, at)
}

/** The same of a client whose use was elsewhere: it shows nothing of the days here. */
export const useElsewhere = async (tx: Tx, ordinal: number, at: EpochSeconds): Promise<void> => {
  await tx.run(updateUsed, { ordinal, day: useTime(at) })
}

// The rows of registered clients.

type ProvenanceColumns = Pick<ClientRow, 'token_fingerprint' | 'statement_issuer' | 'declared_in' | 'imported'>

/** What a client was registered with; undefined where nothing is known. */
const provenanceIn = (row: ProvenanceColumns): Provenance | undefined => {
  const { token_fingerprint: token, statement_issuer, declared_in: declared, imported } = row
  const recorded = recordedProvenance({ token, statement_issuer, declared })
  return imported === 1 ? { ...recorded, imported: true } : recorded
}

/** The columns of what a client was registered with. */
export const provenanceColumns = ({
  token,
  statement_issuer,
  declared,
  imported,
}: Provenance = {}): ProvenanceColumns => ({
  token_fingerprint: token ?? null,
  statement_issuer: statement_issuer ?? null,
  declared_in: declared ?? null,
  imported: imported === true ? 1 : 0,
})

/**
 * The plaintext of the sealed column. The preceding token is here and not in the context, so that the release before reads
 * the row, and ends that token with each replacement, though it leaves the column. So it does with a preceding secret.
 */
const Credentials = t.readonly(
  t.intersection([
    t.type({ registration_access_token: t.string }),
    t.partial({
      client_secret: t.string,
      preceding_token: t.readonly(t.type({ hash: TokenHash, until: EpochSeconds })),
      secret_created_at: EpochSeconds,
      preceding_secret: PrecedingSecret,
      fingerprint: TokenHash,
    }),
  ]),
)

type Sealed = t.TypeOf<typeof Credentials>

/** What the sealed text alone has, beside the credentials. */
const sealedIn = ({ preceding_token, secret_created_at, preceding_secret, fingerprint }: Sealed) => ({
  ...(preceding_token === undefined ? {} : { preceding_token }),
  ...(secret_created_at === undefined ? {} : { secret_created_at }),
  ...(preceding_secret === undefined ? {} : { preceding_secret }),
  ...(fingerprint === undefined ? {} : { fingerprint }),
})

/** Null for a client in force. */
const approvalText = (approval: RegisteredClient['approval']): string | null =>
  approval === undefined ? null : JSON.stringify(approval)

/** Undefined for a client in force; none for a text that is not as it was written. */
const approvalIn = (text: string | null): O.Option<Unapproved | undefined> =>
  text === null ? O.some(undefined) : jsonBy(Unapproved)(text)

/** What a list or a count has of it. */
export const unapprovedIn = (text: string | null): { readonly approval?: Unapproved } => {
  const approval = O.toUndefined(approvalIn(text))
  return approval === undefined ? {} : { approval }
}

export const clients = table({
  name: 'clients',
  columns: {
    client_id: text(ClientId),
    registration_id: text(RegistrationId),
    version: number(t.number),
    client_id_issued_at: number(EpochSeconds),
    client_secret_expires_at: number(orNull(EpochSeconds)),
    registration_access_token_hash: text(TokenHash),
    // Finds the client by its preceding token, if that is in the sealed text as well.
    preceding_token_hash: text(orNull(TokenHash)),
    registered_by: text(RegisteredBy),
    privileges: text(t.string),
    metadata: text(t.string),
    suspended_at: number(orNull(EpochSeconds)),
    approval: text(orNull(t.string)),
    // Since when it waits for its first use; null where that is client_id_issued_at.
    waits_since: number(orNull(EpochSeconds)),
    token_fingerprint: text(orNull(t.string)),
    statement_issuer: text(orNull(t.string)),
    declared_in: text(orNull(t.string)),
    imported: number(t.number),
    unused_open: unreadNumber,
    fingerprint: unreadText,
    credentials: text(t.string),
  },
  key: ['client_id'],
  sealed: 'credentials',
  // Not registration_id, waits_since, unused_open, fingerprint and the provenance. The token of preceding_token_hash counts only
  // if the sealed text has it as well. docs/decisions/sealed-values.md says what a writer of the database can do with these.
  proves: (row) =>
    rowContext('clients', [
      row.client_id,
      row.version,
      row.client_id_issued_at,
      row.client_secret_expires_at,
      row.registration_access_token_hash,
      row.registered_by,
      row.privileges,
      row.metadata,
      // A column that is null is left out, so that the rows from before there was this column are still proven.
      ...(row.suspended_at === null ? [] : [row.suspended_at]),
      // The same holds for this column.
      ...(row.approval === null ? [] : [row.approval]),
    ]),
  // The credentials prove that the metadata is as it was written, so that it is not judged again.
  value: (row, opened): O.Option<RegisteredClient> => {
    const credentials = O.toUndefined(json(opened))
    const metadata = O.toUndefined(json(row.metadata))
    const privileges = O.toUndefined(jsonBy(Privileges)(row.privileges))
    const approval = approvalIn(row.approval)
    if (!Credentials.is(credentials) || !isParsedObject(metadata) || privileges === undefined) return O.none
    if (O.isNone(approval)) return O.none
    const { client_secret, registration_access_token } = credentials
    const { client_secret_expires_at } = row
    const provenance = provenanceIn(row)
    return O.some({
      client_id: row.client_id,
      registration_id: row.registration_id,
      client_id_issued_at: row.client_id_issued_at,
      secret:
        client_secret === undefined || client_secret_expires_at === null
          ? undefined
          : { client_secret, client_secret_expires_at },
      registration_access_token: { token: registration_access_token, hash: row.registration_access_token_hash },
      registered_by: row.registered_by,
      privileges,
      metadata: storedMetadata(metadata),
      version: row.version,
      ...sealedIn(credentials),
      ...(row.suspended_at === null ? {} : { suspended_at: row.suspended_at }),
      ...(approval.value === undefined ? {} : { approval: approval.value }),
      ...(row.waits_since === null ? {} : { waits_since: row.waits_since }),
      ...(provenance === undefined ? {} : { provenance }),
    })
  },
  unreadable: 'a row of a stored client is not as it was written, and cannot be read',
})

export type ClientRow = RowIn<typeof clients>

export const sealClient = (encryption: Encryption, client: RegisteredClient): TE.TaskEither<Unavailable, ClientRow> =>
  clients.seal(
    encryption,
    {
      client_id: client.client_id,
      registration_id: client.registration_id,
      version: client.version,
      client_id_issued_at: client.client_id_issued_at,
      client_secret_expires_at: client.secret?.client_secret_expires_at ?? null,
      registration_access_token_hash: client.registration_access_token.hash,
      preceding_token_hash: client.preceding_token?.hash ?? null,
      registered_by: client.registered_by,
      privileges: JSON.stringify(client.privileges),
      metadata: JSON.stringify(client.metadata),
      suspended_at: client.suspended_at ?? null,
      approval: approvalText(client.approval),
      waits_since: client.waits_since ?? null,
      ...provenanceColumns(client.provenance),
    },
    JSON.stringify({
      client_secret: client.secret?.client_secret,
      registration_access_token: client.registration_access_token.token,
      preceding_token: client.preceding_token,
      secret_created_at: client.secret_created_at,
      preceding_secret: client.preceding_secret,
      fingerprint: client.fingerprint,
    }),
  )

// The rows of listed clients: nothing is decrypted, so that a list costs little and has no credential.

const ListedRow = t.type({
  ordinal: t.number,
  client_id: ClientId,
  registration_id: RegistrationId,
  version: t.number,
  client_id_issued_at: EpochSeconds,
  client_secret_expires_at: orNull(EpochSeconds),
  registered_by: RegisteredBy,
  metadata: t.string,
  suspended_at: orNull(EpochSeconds),
  approval: orNull(t.string),
  used_at: orNull(EpochSeconds),
  unused_open: t.number,
  token_fingerprint: orNull(t.string),
  statement_issuer: orNull(t.string),
  declared_in: orNull(t.string),
  imported: t.number,
})

/** The columns that a list reads, also in SQL that joins no other table. */
export const listedColumns = Object.keys(ListedRow.props).join(', ')

const Placed = t.type({ ordinal: t.number })

/** The place of a row of `clients` in the order of registration. */
export const ordinalOf = (row: unknown): number => (Placed.is(row) ? row.ordinal : Number.MAX_SAFE_INTEGER)

/** A listed client, and its position. */
type PlacedClient = { readonly position: number; readonly client: ListedClient }

// An unreadable client is listed, so that the operator finds and removes it.
export const metadataIn = (text: string): ListedClient['metadata'] => {
  const parsed = json(text)
  return storedMetadata(O.isSome(parsed) && isParsedObject(parsed.value) ? parsed.value : {})
}

/** None for a row whose columns cannot be read. */
export const fromListedRow = (row: unknown): ReadonlyArray<PlacedClient> => {
  if (!ListedRow.is(row)) return []
  const { client_id, registration_id, version, client_id_issued_at, registered_by } = row
  const provenance = provenanceIn(row)
  const client: ListedClient = {
    client_id,
    registration_id,
    version,
    client_id_issued_at,
    registered_by,
    metadata: metadataIn(row.metadata),
    last_use: row.used_at ?? undefined,
    parked: row.unused_open === parkedMark,
    ...(row.client_secret_expires_at === null ? {} : { client_secret_expires_at: row.client_secret_expires_at }),
    ...(row.suspended_at === null ? {} : { suspended_at: row.suspended_at }),
    ...unapprovedIn(row.approval),
    ...(provenance === undefined ? {} : { provenance }),
  }
  return [{ position: row.ordinal, client }]
}

/** The columns that a removed client keeps as they were. Its credentials prove those of them that they prove of a client. */
export const keptColumns = `client_id, registration_id, version, client_id_issued_at, client_secret_expires_at,
  registration_access_token_hash, preceding_token_hash, registered_by, privileges, metadata, suspended_at, approval,
  credentials, token_fingerprint, statement_issuer, declared_in, imported`

/** Removed clients, whose sealed texts are those of the clients that they were. */
export const removedClients: SealedTable = {
  ...clients,
  name: 'removed_clients',
  rows: `SELECT ${keptColumns}, CAST(NULL AS bigint) AS waits_since FROM removed_clients`,
}

const ofRemoved: Readonly<Record<string, string>> = {
  used_at: 'CAST(NULL AS bigint) AS used_at',
  unused_open: `${parkedMark} AS unused_open`,
}

/** A removed client as a list reads it: parked, and never used. */
export const removedListedColumns = [
  ...Object.keys(ListedRow.props).map((name) => ofRemoved[name] ?? name),
  'removed_at',
].join(', ')

const Removed = t.type({ removed_at: EpochSeconds })

/** A page of at most `max` clients, by rows of which one more was asked for. */
export const fromRemovedRows = (rows: ReadonlyArray<unknown>, max: number): RemovedClients => {
  const placed = rows
    .slice(0, max)
    .filter(Removed.is)
    .flatMap((row) => fromListedRow(row).map((found) => ({ ...found, removed_at: row.removed_at })))
  const clients = placed.map(({ client, removed_at }) => ({ client, removed_at }))
  const last = placed.at(-1)
  return rows.length > max && last !== undefined ? { clients, next: last.position } : { clients }
}

const UseRow = t.type({
  client_id: ClientId,
  registration_id: RegistrationId,
  used_at: orNull(EpochSeconds),
  unused_open: t.number,
})

/** None for a row that cannot be read. */
export const fromUseRow = (row: unknown): ReadonlyArray<ClientUse> => {
  if (!UseRow.is(row)) return []
  const { client_id, registration_id, used_at, unused_open } = row
  return [{ client_id, registration_id, last_use: used_at ?? undefined, parked: unused_open === parkedMark }]
}

/** The client of a row that has the last use as well. */
export const readWithUse =
  (read: ReadRow<RegisteredClient>): ReadRow<ClientWithUse> =>
  (row) =>
    pipe(
      read(row),
      TE.map((client) => ({ client, last_use: fromUseRow(row)[0]?.last_use })),
    )
