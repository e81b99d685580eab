// What end-users consented to, by client and end-user. Each consent is the beginning of a connection, or goes on with it.
import { EpochSeconds, type UnknownClient, isParsedObject, unknownClient } from '@clientele/domain/kernel'
import { Subject } from '@clientele/domain/logout'
import { type ConsentChanged, type Consents, type Encryption, consentChanged } from '@clientele/domain/ports'
import { type Connection, type Consent, coversPermissions, isSameConsent } from '@clientele/domain/provider'
import type { Registration } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { change, select, together } from './statement.js'
import {
  type ReadRow,
  guarded,
  jsonBy,
  number,
  ofRegistration,
  orNull,
  readRow,
  table,
  text,
  unreadNumber,
} from './table.js'
import { type Engine, type Names, clientOf, consentOf, readOn, selectOrdinal, verb } from './verb.js'

const ScopeValues = t.readonlyArray(t.string)
const Given = t.type({
  scope: ScopeValues,
  resources: t.record(t.string, ScopeValues),
  shown: guarded('JsonObject', isParsedObject),
})

/** A connection without what the database counts. */
export type Stored = Pick<Connection, 'since' | 'last_use' | 'revoked'> & { readonly consent: Consent }

type Owner = Pick<Consent, 'sub' | 'given_at'> & Registration

export const consentIn = ({ sub, client_id, registration_id, given_at }: Owner, opened: string): O.Option<Consent> =>
  pipe(
    jsonBy(Given)(opened),
    O.map(({ scope, resources, shown }) => {
      const client = { client_id, registration_id }
      return { sub, client, scope, resources, shown, given_at }
    }),
  )

export const unreadable = 'a consent of an end-user cannot be read'

/** The release before writes no `since`: then the connection began with the last consent. */
export const consents = table({
  name: 'consents',
  columns: {
    client: unreadNumber,
    sub: text(Subject),
    given_at: number(EpochSeconds),
    since: number(orNull(EpochSeconds)),
    used_at: number(orNull(EpochSeconds)),
    sealed: text(t.string),
  },
  key: ['client', 'sub'],
  joins: ofRegistration('consents.client'),
  sealed: 'sealed',
  proves: ['sub', 'client_id', 'registration_id', 'given_at'],
  value: (row, opened): O.Option<Stored> =>
    pipe(
      consentIn(row, opened),
      O.map((consent) => ({ consent, since: row.since ?? row.given_at, last_use: row.used_at ?? undefined })),
    ),
  unreadable,
})

const ofUser = { client_id: 'text', registration_id: 'text', sub: 'text' } as const
const one = together(
  consents.select(
    'clients.client_id = :client_id AND clients.registration_id = :registration_id AND consents.sub = :sub',
    ofUser,
  ),
)
const Sealed = t.type({ sealed: t.string })
const storeConsent = consents.insert(
  `ON CONFLICT (client, sub) DO UPDATE SET given_at = excluded.given_at, sealed = excluded.sealed,
  since = coalesce(consents.since, consents.given_at)`,
)
export const belonging = { client: 'number', sub: 'text' } as const
const sealedOne = together(select(Sealed.props, 'consents WHERE client = :client AND sub = :sub', belonging))
const forgetRevoked = together(
  change('DELETE FROM revoked_connections WHERE client = :client AND sub = :sub', belonging),
)

// A page that waits for an answer stays.
const endGiven = change(
  "DELETE FROM artefacts WHERE client = :client AND sub = :sub AND kind <> 'interaction'",
  belonging,
)

export const namesOf = (sub: Subject, client: Registration): Names => ({
  changes: [consentOf(sub, client)],
  relies: [clientOf(client)],
})

export const createConsents = (engine: Engine, encryption: Encryption): Consents => {
  const read = consents.reading(encryption)
  const readConsent: ReadRow<Consent> = (row) =>
    pipe(
      read(row),
      TE.map(({ consent }) => consent),
    )
  /** With the sealed text, which is another one for each consent. */
  const readStored = (sub: Subject, { client_id, registration_id }: Registration) =>
    readOn(engine, async ({ get, done }) => {
      const row = await get(one, { client_id, registration_id, sub })
      return {
        consent: await done(readRow(readConsent)(TE.right(row))),
        sealed: Sealed.is(row) ? row.sealed : undefined,
      }
    })
  return {
    recordConsent: ({ sub, client: { client_id, registration_id }, given_at, scope, resources, shown }, earlier) =>
      pipe(
        readStored(sub, { client_id, registration_id }),
        TE.bindTo('stored'),
        TE.bindW('row', () =>
          consents.seal(
            encryption,
            { sub, client_id, registration_id, given_at, since: given_at, used_at: null },
            JSON.stringify({ scope, resources, shown }),
          ),
        ),
        TE.flatMap(({ stored, row }) =>
          verb<UnknownClient | ConsentChanged, undefined>(namesOf(sub, row), async (tx) => {
            const client = (await tx.get(selectOrdinal, row))?.ordinal
            if (client === undefined) return E.left(unknownClient)
            const sealed = (await tx.get(sealedOne, { client, sub }))?.sealed
            if (sealed !== stored.sealed || !isSameConsent(stored.consent, earlier)) return E.left(consentChanged)
            if (O.isSome(earlier) && !coversPermissions({ scope, resources }, earlier.value))
              await tx.run(endGiven, { client, sub })
            await tx.run(storeConsent, { ...row, client })
            await tx.run(forgetRevoked, { client, sub })
            return E.right(undefined)
          }),
        ),
        engine.write,
      ),
    findConsent: (sub, client) =>
      pipe(
        readStored(sub, client),
        TE.map(({ consent }) => consent),
      ),
  }
}
