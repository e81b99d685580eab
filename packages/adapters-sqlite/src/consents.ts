import { type Consents, type Encryption, unknownClient } from '@clientele/domain'
import { fromConsentRow, readRow, readRows, sealConsent } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import type { Connection } from './connection.js'
import { createRegisteredOrdinal } from './registered-ordinal.js'
import { selectRows } from './select-rows.js'

const upsert = `
INSERT INTO consents (client, sub, given_at, sealed) VALUES (?, ?, ?, ?)
ON CONFLICT (client, sub) DO UPDATE SET given_at = excluded.given_at, sealed = excluded.sealed`
const selectConsent = `
SELECT client_id, registration_id, sub, given_at, sealed FROM consents JOIN clients ON clients.ordinal = client`
const deleteConsent = 'DELETE FROM consents WHERE client = ? AND sub = ?'
const deleteArtefacts = 'DELETE FROM artefacts WHERE client = ? AND sub = ?'

const prepare = (db: Database.Database) => ({
  ordinalOf: createRegisteredOrdinal(db),
  record: db.prepare(upsert),
  one: selectRows(db, `${selectConsent} WHERE client_id = ? AND registration_id = ? AND sub = ?`),
  bySub: selectRows(db, `${selectConsent} WHERE sub = ? ORDER BY given_at, client`),
  remove: db.prepare(deleteConsent),
  removeArtefacts: db.prepare(deleteArtefacts),
})

export const createConsents = ({ db, read, queue }: Connection, encryption: Encryption): Consents => {
  const { ordinalOf, record, one, bySub, remove, removeArtefacts } = prepare(db)
  const fromRow = fromConsentRow(encryption)
  return {
    recordConsent: (consent) =>
      queue.writePrepared(sealConsent(encryption, consent), (sealed) => {
        const client = ordinalOf(consent.client)
        if (client === undefined) return E.left(unknownClient)
        record.run(client, consent.sub, consent.given_at, sealed)
        return E.right(undefined)
      }),
    findConsent: (sub, { client_id, registration_id }) =>
      readRow(fromRow)(read(() => one.get(client_id, registration_id, sub))),
    listConsents: (sub) => readRows(fromRow)(read(() => bySub.all(sub))),
    removeConsent: (sub, client) =>
      queue.write(() => {
        const ordinal = ordinalOf(client)
        if (ordinal === undefined) return E.right(undefined)
        remove.run(ordinal, sub)
        removeArtefacts.run(ordinal, sub)
        return E.right(undefined)
      }),
  }
}
