// A token finds its client, whatever their id is, by the index that contains it.
import { type RegisteredClient, TokenHash } from '@clientele/domain'
import { toClientRow } from '@clientele/stored-rows'
import { done, exampleClient, exampleHash, exampleId, exampleRegistrationId } from '@clientele/testing'
import type Database from 'better-sqlite3'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { clientIdBeginning, createTokenIndex } from '../src/token-index.js'
import { openedLayers } from './support/opened-layers.js'
import { planOf, recording } from './support/plans.js'
import { encryptionWith } from './support/encryption.js'
import { inFolder } from './support/temporary-store.js'

const index = suite('the index of tokens')

const toRow = toClientRow(encryptionWith('the right key'))
const numRuns = Math.ceil(Number(process.env['PROPERTY_RUNS'] ?? 200) / 4)

const insert = async (db: Database.Database, client: RegisteredClient): Promise<void> => {
  const row = await done(toRow(client))
  const names = Object.keys(row)
  const values = names.map((name) => `@${name}`)
  db.prepare(`INSERT INTO clients (${names.join(', ')}) VALUES (${values.join(', ')})`).run(row)
}

const clientWith = (id: string, hash: TokenHash): RegisteredClient => {
  const client = exampleClient('a')
  const registration_access_token = { token: 'a token', hash }
  const registration_id = exampleRegistrationId(hash)
  return { ...client, client_id: exampleId(id), registration_id, registration_access_token }
}

const entries = (db: Database.Database): number => {
  const isApart = /WHERE (.+)$/s.exec(
    String(db.prepare("SELECT sql FROM sqlite_schema WHERE name = 'clients_by_token'").pluck().get()),
  )?.[1]
  return Number(db.prepare(`SELECT count(*) FROM clients INDEXED BY clients_by_token WHERE ${isApart}`).pluck().get())
}

const sign = fc.constantFrom('A', 'Z', 'a', 'z', '0', '9', '-', '_')
const hashes = fc
  .uniqueArray(fc.string({ unit: sign, minLength: 42, maxLength: 42 }), { minLength: 1, maxLength: 5 })
  .map((all) => all.map((text) => `${text}A`).filter(TokenHash.is))
const ending = fc.string({ unit: fc.constantFrom('A', 'z', '0', '~', '-'), minLength: 0, maxLength: 3 })

index('a token finds its own client and no other, however their ids begin', async () => {
  const lives = fc.tuple(hashes, fc.array(fc.tuple(fc.boolean(), ending), { minLength: 5, maxLength: 5 }))
  await fc.assert(
    fc.asyncProperty(lives, ([tokens, ids]) =>
      inFolder(async (file) => {
        const { db } = await openedLayers(file)
        const { rowOf, isToken } = createTokenIndex(db)
        const clients = tokens.map((token, place) => {
          const [isBegun, end] = ids[place] ?? [false, '']
          const beginning = isBegun ? clientIdBeginning(token) : clientIdBeginning(tokens[0] ?? token).slice(1)
          return clientWith(`${beginning}-${place}${end}`, token)
        })
        for (const client of clients) await insert(db, client)
        for (const { client_id } of clients)
          for (const owner of clients) {
            const row = rowOf(client_id, owner.registration_access_token.hash)
            assert.is(row !== undefined, owner.client_id === client_id)
          }
        assert.ok(clients.every(({ registration_access_token: { hash } }) => isToken(hash)))
        assert.is(isToken(exampleHash('never')), false)
        const begun = clients.filter(({ client_id, registration_access_token: { hash } }) =>
          client_id.startsWith(clientIdBeginning(hash)),
        )
        assert.is(entries(db), clients.length - begun.length)
        db.close()
      })(),
    ),
    { numRuns },
  )
})

index(
  'a client with a later token is found by that one alone',
  inFolder(async (file) => {
    const { db } = await openedLayers(file)
    const { rowOf, isToken } = createTokenIndex(db)
    const former = exampleHash('former')
    const later = exampleHash('later')
    const { client_id } = clientWith(clientIdBeginning(former), former)
    await insert(db, clientWith(client_id, former))
    assert.is(entries(db), 0)
    db.prepare('UPDATE clients SET registration_access_token_hash = ? WHERE client_id = ?').run(later, client_id)
    assert.is(entries(db), 1)
    assert.equal(
      [former, later].map((token) => [rowOf(client_id, token) !== undefined, isToken(token)]),
      [
        [false, false],
        [true, true],
      ],
    )
    db.close()
  }),
)

index(
  'none reads the table from end to end, and a token alone is looked up by no id',
  inFolder(async (file) => {
    const { db } = await openedLayers(file)
    const [recorder, prepared] = recording(db)
    createTokenIndex(recorder)
    const [begunWith, apart, preceded, any] = prepared.map((sql) =>
      planOf(db, sql).filter((detail) => /SEARCH|SCAN/.test(detail)),
    )
    assert.equal(begunWith, [
      'SEARCH clients USING INTEGER PRIMARY KEY (rowid=?)',
      'SEARCH clients USING INDEX sqlite_autoindex_clients_1 (client_id>?)',
      'SCAN (subquery-1)',
    ])
    assert.equal(apart, ['SEARCH clients USING INDEX clients_by_token (<expr>=?)'])
    assert.equal(preceded, ['SEARCH clients USING INDEX clients_by_preceding_token (preceding_token_hash=?)'])
    assert.equal(any, [
      'SEARCH clients USING INDEX sqlite_autoindex_clients_1 (client_id>? AND client_id<?)',
      'SEARCH clients USING INDEX clients_by_token (<expr>=?)',
      'SEARCH clients USING COVERING INDEX clients_by_preceding_token (preceding_token_hash=?)',
    ])
    db.close()
  }),
)

index.run()
