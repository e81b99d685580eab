// RFC 7591 §3.2.1: a client is stored, and its initial access token is consumed, both or neither.
import type { AuditRow } from '@clientele/domain/audit'
import type { TokenHash } from '@clientele/domain/authorization'
import { clientIdTaken, registryFull } from '@clientele/domain/kernel'
import { isOpenClient } from '@clientele/domain/life-cycle'
import {
  type RefusedAddition,
  type RegistryLimits,
  initialAccessTokenConsumed,
  maxForgotten,
  registeredBefore,
  requestedBefore,
} from '@clientele/domain/ports'
import type { KeyedRegistration } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type ClientRow, clients } from './client-row.js'
import { change, forgetRows, statement, together } from './statement.js'
import { type Made, type Place, type Tx, clientOf, initialAccessTokenOf, verb } from './verb.js'

export type Addition = {
  readonly row: ClientRow
  readonly token: TokenHash | undefined
  readonly limits: RegistryLimits
  readonly fingerprint: TokenHash | undefined
  readonly keyed: KeyedRegistration | undefined
  readonly audit: AuditRow | undefined
}

const Found = t.type({ found: t.number })
const exists = <Name extends string>(from: string, name: Name) =>
  together(statement(`SELECT 1 AS found FROM ${from}`, { [name]: 'text' } as Readonly<Record<Name, 'text'>>, Found))

const findToken = exists('initial_access_tokens WHERE hash = :hash', 'hash')
const spendToken = together(change('DELETE FROM initial_access_tokens WHERE hash = :hash', { hash: 'text' }))
const findTaken = exists('clients WHERE client_id = :client_id', 'client_id')
const findRepeated = exists('clients WHERE fingerprint = :fingerprint AND unused_open = 1', 'fingerprint')
export const insertClient = clients.insert('ON CONFLICT DO NOTHING')

const findKeyed = together(
  statement(
    'SELECT 1 AS found FROM keyed_registrations WHERE key = :key AND expires_at > :at',
    { key: 'text', at: 'number' },
    Found,
  ),
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
const refusalOfLimits = async (tx: Tx, addition: Addition, isOpen: boolean): Promise<RefusedAddition | undefined> => {
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
const refusalBefore = async (tx: Tx, addition: Addition, isOpen: boolean): Promise<RefusedAddition | undefined> => {
  const { row, token, keyed } = addition
  const at = row.client_id_issued_at
  if (keyed !== undefined && (await tx.get(findKeyed, { key: keyed.key, at })) !== undefined) return requestedBefore
  if (token !== undefined && (await tx.get(findToken, { hash: token })) === undefined) return initialAccessTokenConsumed
  return isLimited(addition.limits) ? refusalOfLimits(tx, addition, isOpen) : undefined
}

const refusalOfRow = async (tx: Tx, { row, fingerprint }: Addition): Promise<RefusedAddition | undefined> => {
  if ((await tx.get(findTaken, row)) !== undefined) return clientIdTaken
  const isRepeated = fingerprint !== undefined && (await tx.get(findRepeated, { fingerprint })) !== undefined
  return isRepeated ? registeredBefore : undefined
}

// RFC 7591 has no order for these refusals: that of all stores is idempotency key, token, identifier, repetition, limits.
export const addClient = (addition: Addition): Made<RefusedAddition, void> => {
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
