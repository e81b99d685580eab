// The clients of an import: a batch is one transaction. The sealed credentials show which rows it wrote, because they have
// a random nonce; where its commit was in doubt, the audit rows show which it had written.
import {
  type ClientImport,
  type ClientRegistry,
  type Encryption,
  type RefusedImport,
  clientChanged,
  clientIdTaken,
  isOpenClient,
  useTime,
} from '@clientele/domain'
import { type NewClientRow, toClientRow } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Database, Query, Rows, Write } from './database.js'
import { writeAudit } from './write-audit.js'

const columns = `client_id, registration_id, version, client_id_issued_at, client_secret_expires_at,
  registration_access_token_hash, registered_by, privileges, metadata, suspended_at, credentials,
  token_fingerprint, statement_issuer, imported, preceding_token_hash, waits_since`
const given = `unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::text[],
    $9::text[], $10::bigint[], $11::text[], $12::text[], $13::text[], $14::smallint[], $15::text[], $16::bigint[]`

// A taken id is left as it is. The rows are inserted in their order, which is that of the list.
const insertNew = {
  name: 'import_new_clients',
  text: `
INSERT INTO clients (${columns}, unused_open)
SELECT ${columns}, unused_open FROM ${given}, $17::smallint[]) WITH ORDINALITY AS given (${columns}, unused_open, place)
ORDER BY place
ON CONFLICT (client_id) DO NOTHING`,
}
// Locked in one order, so that two imports do not wait for each other.
const lockReplaced = {
  name: 'lock_replaced_clients',
  text: 'SELECT 1 FROM clients WHERE client_id = ANY ($1::text[]) ORDER BY client_id FOR UPDATE',
}
const updateReplaced = {
  name: 'import_replaced_clients',
  text: `
UPDATE clients SET version = given.version, client_secret_expires_at = given.client_secret_expires_at,
  registration_access_token_hash = given.registration_access_token_hash, registered_by = given.registered_by,
  privileges = given.privileges, metadata = given.metadata, suspended_at = given.suspended_at, credentials = given.credentials,
  preceding_token_hash = given.preceding_token_hash, waits_since = given.waits_since,
  imported = greatest(clients.imported, given.imported)
FROM ${given}, $17::bigint[], $18::text[]) AS given (${columns}, replacing, preceding_token)
WHERE clients.client_id = given.client_id AND clients.registration_id = given.registration_id
  AND clients.version = given.replacing
  AND (given.preceding_token IS NULL OR clients.preceding_token_hash = given.preceding_token)`,
}
const selectWritten = {
  name: 'select_imported_clients',
  text: `
SELECT clients.client_id FROM unnest($1::text[], $2::text[]) AS given (client_id, credentials)
JOIN clients ON clients.client_id = given.client_id AND clients.credentials = given.credentials`,
}

const selectNoted = {
  name: 'select_noted_imports',
  text: `
SELECT given.client_id FROM unnest($1::text[], $2::bigint[], $3::text[]) AS given (client_id, at, mac)
JOIN audit_rows USING (at, mac)`,
}

// As ClientUses.recordUse, for those that were stored.
const useImported = {
  name: 'use_imported_clients',
  text: `
UPDATE clients SET unused_open = 0, used_at = greatest(clients.used_at, given.used_at)
FROM unnest($1::text[], $2::text[], $3::bigint[]) AS given (client_id, credentials, used_at)
WHERE clients.client_id = given.client_id AND clients.credentials = given.credentials`,
}

const Written = t.type({ client_id: t.string })

type ImportRow = Pick<ClientImport, 'replacing' | 'last_use' | 'audit'> & { readonly row: NewClientRow }

const valuesOf = (
  rows: ReadonlyArray<ImportRow>,
  ...last: ReadonlyArray<(imported: ImportRow) => unknown>
): ReadonlyArray<ReadonlyArray<unknown>> => {
  const column = (of: (row: NewClientRow) => unknown): ReadonlyArray<unknown> => rows.map(({ row }) => of(row))
  return [
    column(({ client_id }) => client_id),
    column(({ registration_id }) => registration_id),
    column(({ version }) => version),
    column(({ client_id_issued_at }) => client_id_issued_at),
    column(({ client_secret_expires_at }) => client_secret_expires_at),
    column(({ registration_access_token_hash }) => registration_access_token_hash),
    column(({ registered_by }) => registered_by),
    column(({ privileges }) => privileges),
    column(({ metadata }) => metadata),
    column(({ suspended_at }) => suspended_at),
    column(({ credentials }) => credentials),
    column(({ token_fingerprint }) => token_fingerprint),
    column(({ statement_issuer }) => statement_issuer),
    column(({ imported }) => imported),
    column(({ preceding_token_hash }) => preceding_token_hash),
    column(({ waits_since }) => waits_since),
    ...last.map((of) => rows.map(of)),
  ]
}

const isNew = ({ replacing }: ImportRow): boolean => replacing === undefined
const idsOf = (rows: ReadonlyArray<ImportRow>): ReadonlyArray<string> => rows.map(({ row }) => row.client_id)

const recordUses = async (query: Query, rows: ReadonlyArray<ImportRow>): Promise<void> => {
  const used = rows.flatMap(({ row, last_use }) =>
    last_use === undefined ? [] : [{ ...row, used_at: useTime(last_use) }],
  )
  if (used.length === 0) return
  await query(useImported, [
    used.map(({ client_id }) => client_id),
    used.map(({ credentials }) => credentials),
    used.map(({ used_at }) => used_at),
  ])
}

const store = async (query: Query, rows: ReadonlyArray<ImportRow>): Promise<void> => {
  const added = rows.filter(isNew)
  const replaced = rows.filter((row) => !isNew(row))
  if (added.length > 0)
    await query(
      insertNew,
      valuesOf(added, ({ row }) => (isOpenClient(row) ? 1 : 0)),
    )
  if (replaced.length === 0) return
  await query(lockReplaced, [idsOf(replaced)])
  await query(
    updateReplaced,
    valuesOf(
      replaced,
      ({ replacing }) => replacing?.version ?? 0,
      ({ replacing }) => replacing?.preceding_token?.hash ?? null,
    ),
  )
}

type Outcomes = ReadonlyArray<E.Either<RefusedImport, void>>

const writtenIn = (found: Rows): ReadonlySet<string> =>
  new Set(found.filter(Written.is).map(({ client_id }) => client_id))

const outcomesOf = (rows: ReadonlyArray<ImportRow>, written: ReadonlySet<string>): Outcomes =>
  rows.map((each) => {
    if (written.has(each.row.client_id)) return E.right(undefined)
    return E.left(isNew(each) ? clientIdTaken : clientChanged)
  })

const importing = (rows: ReadonlyArray<ImportRow>): Write<never, Outcomes> => ({
  run: async (query) => {
    await store(query, rows)
    await recordUses(query, rows)
    const written = writtenIn(await query(selectWritten, [idsOf(rows), rows.map(({ row }) => row.credentials)]))
    await writeAudit(
      query,
      rows.filter(({ row }) => written.has(row.client_id)).map(({ audit }) => audit),
    )
    return E.right(outcomesOf(rows, written))
  },
  isDone: async (query) => {
    const rowsOfAudit = [rows.map(({ audit }) => audit?.at ?? null), rows.map(({ audit }) => audit?.mac ?? null)]
    const noted = writtenIn(await query(selectNoted, [idsOf(rows), ...rowsOfAudit]))
    return noted.size === 0 ? O.none : O.some(outcomesOf(rows, noted))
  },
})

export const createImportClients = (db: Database, encryption: Encryption): ClientRegistry['importClients'] => {
  const toRow = toClientRow(encryption)
  return (clients) =>
    pipe(
      clients,
      TE.traverseArray(({ client, ...imported }: ClientImport) =>
        pipe(
          toRow(client),
          TE.map((row): ImportRow => ({ ...imported, row })),
        ),
      ),
      TE.flatMap((rows) => db.transaction(importing(rows))),
    )
}
