import { allPrivileges } from '@clientele/domain/authorization'
import { ClientId, withDefaults } from '@clientele/domain/client'
import { type JsonObject, isJsonObject, maxDepth } from '@clientele/domain/kernel'
import { type RegisteredClient, storedMetadata } from '@clientele/domain/registration'
import {
  done,
  exampleClient,
  exampleId,
  largeClient,
  listed,
  propertyRuns,
  refused,
  registeredClient,
  updatedExample,
  addition,
  removal,
  noRow,
} from '@clientele/testing'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { clients, sealClient } from '../../adapters-sql/src/client-row.js'
import { rowContext } from '../../adapters-sql/src/table.js'
import { beside } from './support/beside.js'
import { encryptionWith } from './support/encryption.js'
import { inFolder, opened } from './support/temporary-store.js'

const row = suite('a row of the table clients')

const encryption = encryptionWith('the right key')
const toRow = async (client: RegisteredClient) => done(sealClient(encryption, client))
const fromRow = (input: unknown) => clients.reading(encryption)(input)()
const columns = () =>
  fc.array(fc.oneof(fc.string({ unit: fc.constantFrom(',', '-', '1', ':', 'a'), maxLength: 4 }), fc.constant(null)), {
    maxLength: 3,
  })

const ofOther = (column: string): string => `${column} = (SELECT ${column} FROM clients WHERE client_id = 'before')`

const spoilt: Readonly<Record<string, string>> = {
  'an id of which no client is registered': "client_id = 'not an id, Zoë'",
  'another id': "client_id = 'another'",
  'metadata that is no JSON': 'metadata = \'{"client_name": Zoë\'',
  'other metadata': `metadata = '{"redirect_uris":["https://evil.example/cb"],"client_name":"Zoë"}'`,
  'metadata that is deeper than any registration': `metadata = '{"data":${'{"a":'.repeat(3000)}1${'}'.repeat(3001)}'`,
  'privileges that are none': 'privileges = \'{"grant_types": "Zoë"}\'',
  'wider privileges': `privileges = '${JSON.stringify(allPrivileges).replace('"data":true', '"data":false')}'`,
  'another registrant': "registered_by = 'master'",
  'a later version': 'version = 7',
  'another time of issue': 'client_id_issued_at = client_id_issued_at + 1',
  'a secret without an end': 'client_secret_expires_at = NULL',
  'a secret that never ends': 'client_secret_expires_at = 0',
  'a time before time': 'client_id_issued_at = -1',
  'credentials that do not open': "credentials = 'Zoë'",
  'credentials of another client': ofOther('credentials'),
  'a hash that is none': "registration_access_token_hash = 'Zoë'",
  'the hash of another client': ofOther('registration_access_token_hash'),
}

for (const [what, assignment] of Object.entries(spoilt))
  row(
    `${what}: refused without what it holds, listed by its id as unreadable, and removed by the master token`,
    inFolder(async (file) => {
      const store = await opened(file)
      const clients = ['before', 'spoilt', 'after'].map((id) => exampleClient(id))
      for (const client of clients) await done(store.registry.addClient(addition(client)))
      beside(file, (db) =>
        assert.is(db.prepare(`UPDATE clients SET ${assignment} WHERE client_id = 'spoilt'`).run().changes, 1),
      )
      const each: Array<unknown> = []
      for await (const item of store.registry.streamClients()) each.push(E.isLeft(item) ? item.left : item.right)
      const listedAs = Object(each[1])
      assert.equal([each[0], listedAs.error, each[2]], [clients[0], 'unreadable_client', clients[2]])
      if (ClientId.is(listedAs.client_id)) {
        const refusal = await refused(store.registry.findClient(listedAs.client_id))
        assert.is(refusal.error, 'unavailable')
        assert.match(JSON.stringify(refusal.detail), /cannot be read/)
        assert.not.match(JSON.stringify(refusal), /Zo|life/)
        const together = await done(store.registry.findClients([exampleId('after'), listedAs.client_id]))
        assert.equal(together, [E.right(clients[2]), E.left(refusal.detail)])
        await done(store.registry.removeClient(removal(listedAs.client_id)))
        assert.equal(await listed(store.registry), [clients[0], clients[2]])
      }
      assert.equal(await done(store.registry.findClient(exampleId('after'))), O.some(clients[2]))
      await store.close()
    }),
  )

row(
  'a token whose hash was copied to another client opens neither the other one nor its own any more',
  inFolder(async (file) => {
    const store = await opened(file)
    const mine = exampleClient('mine')
    const theirs = exampleClient('theirs')
    for (const client of [mine, theirs]) await done(store.registry.addClient(addition(client)))
    const hash = mine.registration_access_token.hash
    assert.equal(await done(store.registry.findClientByToken(mine.client_id, hash)), O.some(mine))
    beside(file, (db) =>
      db.exec(`UPDATE clients SET registration_access_token_hash = '${hash}' WHERE client_id = 'theirs'`),
    )
    assert.is((await refused(store.registry.findClientByToken(theirs.client_id, hash))).error, 'unavailable')
    assert.equal(await done(store.registry.findClientByToken(mine.client_id, hash)), O.some(mine))
    await store.close()
  }),
)

row(
  'credentials of an earlier version of the same client do not count again',
  inFolder(async (file) => {
    const store = await opened(file)
    const first = exampleClient('a')
    await done(store.registry.addClient(addition(first)))
    const columns = 'credentials, registration_access_token_hash, client_secret_expires_at'
    const earlier = beside(file, (db) => db.prepare(`SELECT ${columns} FROM clients`).raw().get())
    await done(store.registry.replaceClient({ next: updatedExample(first), replacing: first, audit: noRow }))
    beside(file, (db) => db.prepare(`UPDATE clients SET (${columns}) = (?, ?, ?)`).run(earlier))
    const found = store.registry.findClientByToken(first.client_id, first.registration_access_token.hash)
    assert.is((await refused(found)).error, 'unavailable')
    await store.close()
  }),
)

row('reading a row is the inverse of writing it, for any client whatever a registration makes', () =>
  fc.assert(
    fc.asyncProperty(fc.oneof(registeredClient(), largeClient()), async (client) =>
      assert.equal(await fromRow(await toRow(client)), E.right(client)),
    ),
    { numRuns: propertyRuns() },
  ),
)

row('no two rows have one context', () =>
  fc.assert(
    fc.property(columns(), columns(), (one, other) => {
      const isSame = JSON.stringify(one) === JSON.stringify(other)
      assert.is(rowContext('clients', one) === rowContext('clients', other), isSame)
    }),
    { numRuns: propertyRuns() },
  ),
)

row('metadata as deep as a registration may be is kept', async () => {
  const nested = (depth: number): JsonObject => (depth === 1 ? { end: 1 } : { deeper: nested(depth - 1) })
  const deepest = withDefaults({ redirect_uris: ['https://rp.example/cb'], data: nested(maxDepth - 1) })
  assert.ok(isJsonObject(maxDepth)({ ...deepest }) && !isJsonObject(maxDepth - 1)({ ...deepest }))
  const client = { ...exampleClient('a'), metadata: storedMetadata({ ...deepest }) }
  assert.equal(await fromRow(await toRow(client)), E.right(client))
})

row('whatever is no row at all is refused', async () => {
  for (const input of [undefined, null, 7, 'row', [], {}, { ...(await toRow(exampleClient('a'))), version: 'one' }])
    assert.ok(E.isLeft(await fromRow(input)))
})

row('columns that a later schema adds are passed over', async () => {
  const client: RegisteredClient = { ...exampleClient('a'), secret: undefined }
  assert.equal(await fromRow({ ...(await toRow(client)), added: 'later' }), E.right(client))
})

row.run()
