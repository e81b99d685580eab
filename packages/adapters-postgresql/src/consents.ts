import {
  type Consent,
  type Consents,
  type Encryption,
  type Registration,
  type Subject,
  type UnknownClient,
  unknownClient,
} from '@clientele/domain'
import { fromConsentRow, readRow, readRows, sealConsent } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type Database, type Write, removing } from './database.js'
import { ordinalOf } from './registered-clients.js'
import { consentRows } from './rows-with-client.js'
import { isWritten } from './write-audit.js'

const upsert = {
  name: 'record_consent',
  text: `
INSERT INTO consents (client, sub, given_at, sealed) VALUES ($1, $2, $3, $4)
ON CONFLICT (client, sub) DO UPDATE SET given_at = excluded.given_at, sealed = excluded.sealed`,
}
// The sealed text has a random nonce, so that only this write made it.
const selectWritten = {
  name: 'select_written_consent',
  text: `SELECT 1 FROM ${consentRows} WHERE client_id = $1 AND registration_id = $2 AND sub = $3 AND sealed = $4`,
}
const selectConsent = {
  name: 'select_consent',
  text: `SELECT * FROM ${consentRows} WHERE client_id = $1 AND registration_id = $2 AND sub = $3`,
}
const selectBySub = {
  name: 'select_consents_of_user',
  text: `SELECT * FROM ${consentRows} WHERE sub = $1 ORDER BY given_at, client`,
}
const deleteConsent = removing('delete_consent', 'DELETE FROM consents WHERE client = $1 AND sub = $2')
const deleteGrants = {
  name: 'delete_grants_of_user',
  text: `DELETE FROM artefacts WHERE client = $1 AND sub = $2 AND kind = 'grant'`,
}
const deleteArtefacts = {
  name: 'delete_artefacts_of_user',
  text: 'DELETE FROM artefacts WHERE client = $1 AND sub = $2',
}

const recording = ({ sub, client, given_at }: Consent, sealed: string): Write<UnknownClient, void> => ({
  run: async (query) => {
    const ordinal = await ordinalOf(query, client)
    if (ordinal === undefined) return E.left(unknownClient)
    await query(upsert, [ordinal, sub, given_at, sealed])
    return E.right(undefined)
  },
  isDone: isWritten(undefined, selectWritten, [client.client_id, client.registration_id, sub, sealed]),
})

// Grants before the rest: the last statement sees what was stored until they could be removed.
const removal = (sub: Subject, client: Registration): Write<never, void> => ({
  run: async (query) => {
    const ordinal = await ordinalOf(query, client)
    if (ordinal === undefined) return E.right(undefined)
    for (const statement of [deleteConsent, deleteGrants, deleteArtefacts]) await query(statement, [ordinal, sub])
    return E.right(undefined)
  },
})

export const createConsents = (db: Database, encryption: Encryption): Consents => {
  const fromRow = fromConsentRow(encryption)
  return {
    recordConsent: (consent) =>
      pipe(
        sealConsent(encryption, consent),
        TE.flatMap((sealed) => db.transaction(recording(consent, sealed))),
      ),
    findConsent: (sub, { client_id, registration_id }) =>
      readRow(fromRow)(db.first(selectConsent, [client_id, registration_id, sub])),
    listConsents: (sub) => readRows(fromRow)(db.run(selectBySub, [sub])),
    removeConsent: (sub, client) => db.transaction(removal(sub, client)),
  }
}
