// How clients are added, replaced and removed, by the rules of their registration.
import type { AuditRow } from '@clientele/domain/audit'
import type { TokenHash } from '@clientele/domain/authorization'
import type { ClientId } from '@clientele/domain/client'
import { type UnknownClient, clientIdTaken, registryFull, unknownClient } from '@clientele/domain/kernel'
import { isOpenClient } from '@clientele/domain/life-cycle'
import {
  type ClientChanged,
  type ClientImport,
  type ClientSuspended,
  type RefusedAddition,
  type RefusedImport,
  type RegistryLimits,
  type Tombstone,
  clientChanged,
  clientSuspended,
  initialAccessTokenConsumed,
  maxForgotten,
  minStoredTombstones,
  registeredBefore,
  requestedBefore,
} from '@clientele/domain/ports'
import type { KeyedRegistration, RegisteredClient } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type ClientRow, clients, parkedMark, provenanceColumns, useElsewhere } from './client-row.js'
import { recordEvent } from './notifications.js'
import { assigned, change, exists, forgetRows, returning, select, statement, together } from './statement.js'
import { orNull } from './table.js'
import {
  type Made,
  type Place,
  type Tx,
  clientOf,
  initialAccessTokenOf,
  keepLatest,
  selectOrdinal,
  verb,
} from './verb.js'

/** An addition (`Addition` of the domain), as a row. */
type AddedRow = {
  readonly row: ClientRow
  readonly token: TokenHash | undefined
  readonly limits: RegistryLimits
  readonly fingerprint: TokenHash | undefined
  readonly keyed: KeyedRegistration | undefined
  readonly audit: AuditRow | undefined
}

const findToken = together(exists('initial_access_tokens WHERE hash = :hash', { hash: 'text' }))
const spendToken = together(change('DELETE FROM initial_access_tokens WHERE hash = :hash', { hash: 'text' }))
const findTaken = together(exists('clients WHERE client_id = :client_id', { client_id: 'text' }))
const findRepeated = together(
  exists('clients WHERE fingerprint = :fingerprint AND unused_open = 1', { fingerprint: 'text' }),
)
export const insertClient = clients.insert('ON CONFLICT DO NOTHING')

const findKeyed = together(
  exists('keyed_registrations WHERE key = :key AND expires_at > :at', { key: 'text', at: 'number' }),
)
const writeKeyed = change(
  `
INSERT INTO keyed_registrations (key, client, request, expires_at)
SELECT :key, ordinal, :request, :expires_at FROM clients
WHERE client_id = :client_id AND registration_id = :registration_id
ON CONFLICT (key) DO UPDATE SET client = excluded.client, request = excluded.request, expires_at = excluded.expires_at`,
  { key: 'text', request: 'text', expires_at: 'number', client_id: 'text', registration_id: 'text' },
)
const forgetKeyed = forgetRows(
  'keyed_registrations',
  'key',
  'expires_at <= :at ORDER BY expires_at',
  maxForgotten.keyedRegistrations,
  { at: 'number' },
)

const Taken = t.type({ taken: t.number })
const clientsTaken = statement(
  {
    sqlite: 'SELECT clients AS taken, :max AS max FROM client_count',
    // They are no more than the ordinals from the lowest to the highest, which will do far from the limit.
    postgresql: `
SELECT CASE WHEN spanned <= :max - 1000 THEN spanned
  ELSE (SELECT count(*) FROM (SELECT 1 FROM clients LIMIT :max) AS counted) END AS taken
FROM (SELECT coalesce(max(ordinal) - min(ordinal) + 1, 0) AS spanned FROM clients) AS ordinals`,
  },
  { max: 'number' },
  Taken,
)
const unusedTaken = statement(
  'SELECT count(*) AS taken FROM (SELECT 1 FROM clients WHERE unused_open = 1 LIMIT :max) AS counted',
  { max: 'number' },
  Taken,
)

const isLimited = ({ clients, unusedOpenClients }: RegistryLimits): boolean =>
  clients !== Infinity || unusedOpenClients !== Infinity

/** More places than a batch has verbs: one that is taken in vain is missed by nobody. */
const ample = 1_000

/** Takes a place within the limits; where few are left, after the refusals that take none. */
const refusalOfLimits = async (tx: Tx, addition: AddedRow, isOpen: boolean): Promise<RefusedAddition | undefined> => {
  const { clients, unusedOpenClients } = addition.limits
  const places: ReadonlyArray<Place> = [
    { taken: clientsTaken, max: clients },
    ...(isOpen ? [{ taken: unusedTaken, max: unusedOpenClients }] : []),
  ]
  let isChecked: boolean = false
  for (const place of places) {
    if (!isChecked && (await tx.room(place)) < ample) {
      const refused = await refusalOfRow(tx, addition)
      if (refused !== undefined) return refused
      isChecked = true
    }
    if (!(await tx.take(place))) return registryFull
  }
  return undefined
}

/** The registration under the key, the token, or the limits do not permit it; else nothing. */
const refusalBefore = async (tx: Tx, addition: AddedRow, isOpen: boolean): Promise<RefusedAddition | undefined> => {
  const { row, token, keyed } = addition
  const at = row.client_id_issued_at
  if (keyed !== undefined && (await tx.get(findKeyed, { key: keyed.key, at })) !== undefined) return requestedBefore
  if (token !== undefined && (await tx.get(findToken, { hash: token })) === undefined) return initialAccessTokenConsumed
  return isLimited(addition.limits) ? refusalOfLimits(tx, addition, isOpen) : undefined
}

const refusalOfRow = async (tx: Tx, { row, fingerprint }: AddedRow): Promise<RefusedAddition | undefined> => {
  if ((await tx.get(findTaken, row)) !== undefined) return clientIdTaken
  const isRepeated = fingerprint !== undefined && (await tx.get(findRepeated, { fingerprint })) !== undefined
  return isRepeated ? registeredBefore : undefined
}

// RFC 7591 §3.2.1: a client is stored, and its initial access token is consumed, both or neither. RFC 7591 has no order for
// these refusals: that of all stores is idempotency key, token, identifier, repetition, limits.
export const addClient = (addition: AddedRow): Made<RefusedAddition, void> => {
  const { row, token, fingerprint, keyed, audit } = addition
  const isOpen = isOpenClient(row)
  const names = {
    changes: [
      clientOf(row),
      ...(token === undefined ? [] : [initialAccessTokenOf(token)]),
      ...(fingerprint === undefined ? [] : [`fingerprint ${fingerprint}`]),
      ...(keyed === undefined ? [] : [`idempotency key ${keyed.key}`]),
    ],
    counts: isLimited(addition.limits) ? ['clients'] : [],
  }
  return verb(names, async (tx) => {
    const refused = await refusalBefore(tx, addition, isOpen)
    if (refused !== undefined) return E.left(refused)
    const columns = Object.assign({ unused_open: isOpen ? 1 : 0, fingerprint: fingerprint ?? null }, row)
    const refusalOfInsertion = async () => E.left((await refusalOfRow(tx, addition)) ?? clientIdTaken)
    const inserting = tx.run(insertClient, columns)
    // One that may repeat another registration is refused before anything else is written.
    if (fingerprint !== undefined && (await inserting) === 0) return refusalOfInsertion()
    const spending = token === undefined ? 0 : tx.run(spendToken, { hash: token })
    const [inserted] = await Promise.all([inserting, spending, tx.note(audit)])
    if (inserted === 0) return refusalOfInsertion()
    if (keyed !== undefined) {
      await tx.run(writeKeyed, keyed)
      await tx.run(forgetKeyed, { at: row.client_id_issued_at })
    }
    return E.right(undefined)
  })
}

// RFC 7592 §2.2: the next version of a client; and the clients of an import, new ones and next versions.

const unindexed = {
  version: 'number',
  client_secret_expires_at: 'number',
  privileges: 'text',
  metadata: 'text',
  suspended_at: 'number',
  approval: 'text',
  credentials: 'text',
} as const
const indexed = {
  registration_access_token_hash: 'text',
  preceding_token_hash: 'text',
  registered_by: 'text',
  waits_since: 'number',
  declared_in: 'text',
} as const
const read = { client_id: 'text', registration_id: 'text', replacing: 'number', preceding: 'text' } as const

const isAsRead = `client_id = :client_id AND registration_id = :registration_id AND version = :replacing
  AND (:preceding IS NULL OR preceding_token_hash = :preceding)`

// The index of texts follows the metadata.
const isToReindex = 'reindex = CASE WHEN metadata = :metadata THEN reindex ELSE 1 END'

// SQLite writes the index of every column that the statement sets, even if its value is unchanged.
const update = together(
  change(`UPDATE clients SET ${assigned(unindexed)}, ${isToReindex} WHERE ${isAsRead}`, { ...unindexed, ...read }),
)
const updateIndexed = together(
  change(
    `
UPDATE clients SET ${assigned(unindexed)}, ${assigned(indexed)}, ${isToReindex},
  imported = CASE WHEN imported > :imported THEN imported ELSE :imported END
WHERE ${isAsRead}`,
    { ...unindexed, ...indexed, imported: 'number', ...read },
  ),
)

const isIndexedAlike = (row: ClientRow, replacing: RegisteredClient): boolean => {
  const { declared_in, imported } = provenanceColumns(replacing.provenance)
  return (
    row.registration_access_token_hash === replacing.registration_access_token.hash &&
    row.preceding_token_hash === (replacing.preceding_token?.hash ?? null) &&
    row.registered_by === replacing.registered_by &&
    row.waits_since === (replacing.waits_since ?? null) &&
    row.declared_in === declared_in &&
    row.imported <= imported
  )
}

// Another client may have its fingerprint by now.
const endParking = change(
  `UPDATE clients SET unused_open = 1, fingerprint = NULL WHERE client_id = :client_id AND unused_open = ${parkedMark}`,
  { client_id: 'text' },
)

/** An approved client waits for its first use anew: what was announced before is no notice of that. */
const replace = async (tx: Tx, row: ClientRow, replacing: RegisteredClient): Promise<boolean> => {
  const values = { ...row, replacing: replacing.version, preceding: replacing.preceding_token?.hash ?? null }
  if ((await tx.run(isIndexedAlike(row, replacing) ? update : updateIndexed, values)) === 0) return false
  if (replacing.approval !== undefined && row.approval === null) await tx.run(endParking, row)
  return true
}

export const replaceClient = (
  row: ClientRow,
  replacing: RegisteredClient,
  audit: AuditRow | undefined,
): Made<ClientChanged, void> =>
  verb({ changes: [clientOf(row)] }, async (tx) => {
    if (!(await replace(tx, row, replacing))) return E.left(clientChanged)
    await tx.note(audit)
    return E.right(undefined)
  })

/** A client of an import, as a row. */
type ImportedRow = Omit<ClientImport, 'client'> & { readonly row: ClientRow }

const importOne = async (tx: Tx, imported: ImportedRow): Promise<E.Either<RefusedImport, void>> => {
  const { row, replacing, last_use, audit } = imported
  const isNew = replacing === undefined
  // A registration of the same batch counts what is there: a client that was used elsewhere takes no place of an unused one.
  const unused_open = isOpenClient(row) && last_use === undefined ? 1 : 0
  const isStored = isNew
    ? (await tx.run(insertClient, { ...row, unused_open, fingerprint: null })) > 0
    : await replace(tx, row, replacing)
  if (!isStored) return E.left(isNew ? clientIdTaken : clientChanged)
  if (last_use !== undefined) {
    const stored = await tx.get(selectOrdinal, row)
    if (stored !== undefined) await useElsewhere(tx, stored.ordinal, last_use)
  }
  await tx.note(audit)
  return E.right(undefined)
}

/** All that are not refused are stored in one step. */
export const importClients = (
  clients: ReadonlyArray<ImportedRow>,
): Made<never, ReadonlyArray<E.Either<RefusedImport, void>>> =>
  verb({ changes: clients.map(({ row }) => clientOf(row)) }, async (tx) =>
    E.right(await Promise.all(clients.map((each) => importOne(tx, each)))),
  )

// RFC 7592 §2.3: the removal of a client, by its own request, by the operator, or because it was not used. Everything that is
// recorded for it refers to its row, and is removed with it: see each REFERENCES clients of schema.ts. What waits in the text
// index stays until its block is empty; searches leave it out.

/** The columns that are read of the removed client; other columns may be unreadable. */
const removable = {
  ordinal: t.number,
  registration_id: t.string,
  version: t.number,
  suspended_at: orNull(t.number),
  registration_access_token_hash: t.string,
  preceding_token_hash: orNull(t.string),
}
const find = select(removable, 'clients WHERE client_id = :client_id', { client_id: 'text' })
const remove = change('DELETE FROM clients WHERE ordinal = :ordinal', { ordinal: 'number' })

const bury = returning(
  'tombstones',
  { id: 'text', until: 'number' },
  ['id'],
  { ordinal: t.number },
  'ON CONFLICT (id) DO UPDATE SET until = excluded.until',
)
const keepLatestTombstones = keepLatest('tombstones', minStoredTombstones)

export type Traces = { readonly tombstone: Tombstone | undefined; readonly audit: AuditRow | undefined }

export const removeRow = async (
  tx: Tx,
  { ordinal, client_id, registration_id }: { ordinal: number; client_id: string; registration_id: string },
  { tombstone, audit }: Traces,
): Promise<void> => {
  await tx.run(remove, { ordinal })
  await recordEvent(tx, { event: 'client_deleted', client_id, registration_id })
  if (tombstone !== undefined) await keepLatestTombstones(tx, await tx.get(bury, tombstone))
  await tx.note(audit)
}

const isRead = (found: t.TypeOfProps<typeof removable>, read: RegisteredClient): boolean =>
  found.registration_id === read.registration_id &&
  found.version === read.version &&
  (read.preceding_token === undefined || found.preceding_token_hash === read.preceding_token.hash)

/** `token`: the client removes itself, by its newest token, while it is not suspended. */
export const removeClient = (
  client_id: ClientId,
  token: TokenHash | undefined,
  traces: Traces,
  read: RegisteredClient | undefined,
): Made<UnknownClient | ClientSuspended | ClientChanged, void> =>
  verb({ changes: [clientOf({ client_id })] }, async (tx) => {
    const found = await tx.get(find, { client_id })
    if (found === undefined) return E.left(unknownClient)
    if (token !== undefined && found.registration_access_token_hash !== token) return E.left(unknownClient)
    if (token !== undefined && found.suspended_at !== null) return E.left(clientSuspended)
    if (read !== undefined && !isRead(found, read)) return E.left(clientChanged)
    await removeRow(tx, { ...found, client_id }, traces)
    return E.right(undefined)
  })
