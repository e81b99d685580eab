// What a client was granted: the authorizations that a provider records, by kind and hash, and the consents of end-users.
import { TokenHash } from '@clientele/domain/authorization'
import { ClientId, RegistrationId } from '@clientele/domain/client'
import {
  type JsonObject,
  type UnknownClient,
  type UnknownSession,
  EpochSeconds,
  isParsedObject,
  unknownClient,
  unknownSession,
} from '@clientele/domain/kernel'
import { Subject } from '@clientele/domain/logout'
import {
  type ClientAuthorization,
  type ClientAuthorizations,
  type Consents,
  type Encryption,
  maxForgotten,
} from '@clientele/domain/ports'
import type { Consent } from '@clientele/domain/provider'
import type { Registration } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { change, forgetRows, together } from './statement.js'
import { type RowIn, json, number, orNull, readRow, readRows, table, text, unreadNumber } from './table.js'
import { useClient } from './client-row.js'
import {
  type Engine,
  type Made,
  type Names,
  clientOf,
  consentOf,
  selectOrdinal,
  selectSession,
  sessionOf,
  verb,
  verbOf,
} from './verb.js'

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
  joins: {
    on: 'JOIN clients ON clients.ordinal = authorizations.client',
    columns: { client_id: ClientId, registration_id: RegistrationId },
  },
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
    await useClient(tx, client, at)
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

const ScopeValues = t.readonlyArray(t.string)
const Shown = new t.Type<JsonObject>(
  'JsonObject',
  isParsedObject,
  (value, context) => (isParsedObject(value) ? t.success(value) : t.failure(value, context)),
  identity,
)
const Given = t.type({ scope: ScopeValues, resources: t.record(t.string, ScopeValues), shown: Shown })

/** What end-users consented to, by client and end-user. */
export const consents = table({
  name: 'consents',
  columns: { client: unreadNumber, sub: text(Subject), given_at: number(EpochSeconds), sealed: text(t.string) },
  key: ['client', 'sub'],
  joins: {
    on: 'JOIN clients ON clients.ordinal = consents.client',
    columns: { client_id: ClientId, registration_id: RegistrationId },
  },
  sealed: 'sealed',
  proves: ['sub', 'client_id', 'registration_id', 'given_at'],
  value: ({ sub, client_id, registration_id, given_at }, opened): O.Option<Consent> =>
    pipe(
      json(opened),
      O.filter(Given.is),
      O.map(({ scope, resources, shown }) => {
        const client = { client_id, registration_id }
        return { sub, client, scope, resources, shown, given_at }
      }),
    ),
  unreadable: 'a consent of an end-user cannot be read',
})

const ofUser = { client_id: 'text', registration_id: 'text', sub: 'text' } as const
const one = together(
  consents.select(
    'clients.client_id = :client_id AND clients.registration_id = :registration_id AND consents.sub = :sub',
    ofUser,
  ),
)
const bySub = consents.select('consents.sub = :sub ORDER BY consents.given_at, consents.client', { sub: 'text' })
const storeConsent = consents.replace()
const belonging = { client: 'number', sub: 'text' } as const
const deleteConsent = change('DELETE FROM consents WHERE client = :client AND sub = :sub', belonging)
const deleteArtefacts = change('DELETE FROM artefacts WHERE client = :client AND sub = :sub', belonging)

const namesOf = (sub: Subject, client: Registration): Names => ({
  changes: [consentOf(sub, client)],
  relies: [clientOf(client)],
})

export const createConsents = (engine: Engine, encryption: Encryption): Consents => {
  const read = consents.reading(encryption)
  return {
    recordConsent: ({ sub, client: { client_id, registration_id }, given_at, scope, resources, shown }) =>
      pipe(
        consents.seal(
          encryption,
          { sub, client_id, registration_id, given_at },
          JSON.stringify({ scope, resources, shown }),
        ),
        TE.flatMap((row) =>
          verb(namesOf(sub, row), async (tx) => {
            const client = (await tx.get(selectOrdinal, row))?.ordinal
            if (client === undefined) return E.left(unknownClient)
            await tx.run(storeConsent, { ...row, client })
            return E.right(undefined)
          }),
        ),
        engine.write,
      ),
    findConsent: (sub, { client_id, registration_id }) =>
      readRow(read)(engine.get(one, { client_id, registration_id, sub })),
    listConsents: (sub) => readRows(read)(engine.all(bySub, { sub })),
    removeConsent: (sub, registration) =>
      engine.write(
        verb(namesOf(sub, registration), async (tx) => {
          const client = (await tx.get(selectOrdinal, registration))?.ordinal
          if (client === undefined) return E.right(undefined)
          await tx.run(deleteConsent, { client, sub })
          await tx.run(deleteArtefacts, { client, sub })
          return E.right(undefined)
        }),
      ),
  }
}
