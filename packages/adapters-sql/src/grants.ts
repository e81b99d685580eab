// What a provider beside the service granted to a client: authorizations by kind and hash.
import { TokenHash } from '@clientele/domain/authorization'
import {
  type UnknownClient,
  type UnknownSession,
  EpochSeconds,
  isParsedObject,
  unknownClient,
  unknownSession,
} from '@clientele/domain/kernel'
import {
  type ClientAuthorization,
  type ClientAuthorizations,
  type Encryption,
  maxForgotten,
} from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { change, forgetRows, together } from './statement.js'
import { type RowIn, json, number, orNull, readRow, table, text, unreadNumber, ofRegistration } from './table.js'
import { useClients } from './client-row.js'
import { type Engine, type Made, clientOf, selectOrdinal, selectSession, sessionOf, verb, verbOf } from './verb.js'

export const authorizations = table({
  name: 'authorizations',
  columns: {
    kind: text(t.keyof({ refresh_token: null, access_token: null, sticky_grant: null })),
    hash: text(TokenHash),
    client: unreadNumber,
    expires_at: number(EpochSeconds),
    details: text(t.string),
    session: text(orNull(t.string)),
    offline: number(t.number),
    proof: text(t.string),
  },
  key: ['kind', 'hash'],
  joins: ofRegistration('authorizations.client'),
  sealed: 'proof',
  proves: ['kind', 'hash', 'client_id', 'expires_at', 'details', 'session', 'offline'],
  value: (row): O.Option<ClientAuthorization> =>
    pipe(
      json(row.details),
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
    ),
  unreadable: 'a recorded authorization cannot be read',
})

const byKey = { kind: 'text', hash: 'text' } as const
const byHash = together(authorizations.select('authorizations.kind = :kind AND authorizations.hash = :hash', byKey))
const storeAuthorization = authorizations.replace()
const forgetExpired = forgetRows(
  'authorizations',
  'kind, hash',
  'expires_at > 0 AND expires_at <= :at AND (kind, hash) <> (:kind, :hash) ORDER BY expires_at',
  maxForgotten.authorizations,
  { at: 'number', ...byKey },
)
const deleteAuthorization = together(change('DELETE FROM authorizations WHERE kind = :kind AND hash = :hash', byKey))

const recordAuthorization = (
  row: RowIn<typeof authorizations>,
  at: EpochSeconds,
): Made<UnknownClient | UnknownSession, void> => {
  const { kind, hash } = row
  // The session with which it ends.
  const sid = row.offline === 0 ? row.session : null
  const names = {
    changes: [`authorization ${kind} ${hash}`],
    relies: [clientOf(row), ...(sid === null ? [] : [sessionOf({ sid })])],
  }
  return verb(names, async (tx) => {
    const client = (await tx.get(selectOrdinal, row))?.ordinal
    if (client === undefined) return E.left(unknownClient)
    if (sid !== null && (await tx.get(selectSession, { sid })) === undefined) return E.left(unknownSession)
    await tx.run(storeAuthorization, { ...row, client })
    await useClients(tx, [client], at)
    await tx.run(forgetExpired, { at, kind, hash })
    return E.right(undefined)
  })
}

export const createClientAuthorizations = (engine: Engine, encryption: Encryption): ClientAuthorizations => ({
  recordAuthorization: ({ details, session, offline, ...authorization }, at) =>
    pipe(
      authorizations.seal(encryption, {
        ...authorization,
        details: JSON.stringify(details),
        session: session ?? null,
        offline: offline === true ? 1 : 0,
      }),
      TE.flatMap((row) => recordAuthorization(row, at)),
      engine.write,
    ),
  findAuthorization: (kind, hash) => readRow(authorizations.reading(encryption))(engine.get(byHash, { kind, hash })),
  revokeAuthorization: (kind, hash) => engine.write(verbOf({}, deleteAuthorization, { kind, hash })),
})
