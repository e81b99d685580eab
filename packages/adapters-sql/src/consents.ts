// What end-users consented to, by client and end-user.
import { ClientId, RegistrationId } from '@clientele/domain/client'
import { type JsonObject, EpochSeconds, isParsedObject, unknownClient } from '@clientele/domain/kernel'
import { Subject } from '@clientele/domain/logout'
import type { Consents, Encryption } from '@clientele/domain/ports'
import type { Consent } from '@clientele/domain/provider'
import type { Registration } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { change, together } from './statement.js'
import { number, readRow, readRows, table, text, unreadNumber } from './table.js'
import { type Engine, type Names, clientOf, consentOf, selectOrdinal, verb } from './verb.js'

const ScopeValues = t.readonlyArray(t.string)
const Shown = new t.Type<JsonObject>(
  'JsonObject',
  isParsedObject,
  (value, context) => (isParsedObject(value) ? t.success(value) : t.failure(value, context)),
  identity,
)
const Given = t.type({ scope: ScopeValues, resources: t.record(t.string, ScopeValues), shown: Shown })

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
      O.tryCatch((): unknown => JSON.parse(opened)),
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
const upsert = consents.insert(
  'ON CONFLICT (client, sub) DO UPDATE SET given_at = excluded.given_at, sealed = excluded.sealed',
)
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
      engine.write(
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
              await tx.run(upsert, { ...row, client })
              return E.right(undefined)
            }),
          ),
        ),
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
