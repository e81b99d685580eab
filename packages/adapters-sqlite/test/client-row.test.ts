import Database from 'better-sqlite3'
import type { JsonObject, RegisteredClient } from '@clientele/domain'
import { isJsonObject, maximumDepth, noLimits, permittedWhenStored, withDefaults } from '@clientele/domain'
import { done, exampleClient, exampleId, refused } from '@clientele/domain/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fromClientRow, toClientRow } from '../src/client-row.js'
import { sealingWith } from './support/sealing.js'
import { inFolder, opened } from './support/temporary-store.js'

const row = suite('a row of the table clients')

const sealing = sealingWith('the right key')
const [toRow, fromRow] = [toClientRow(sealing), fromClientRow(sealing)]

const spoilt: Readonly<Record<string, string>> = {
  'an id of which no client is registered': "client_id = 'not an id, Zoë'",
  'metadata that is no JSON': 'metadata = \'{"client_name": Zoë\'',
  'metadata that is no object': 'metadata = \'["Zoë"]\'',
  'metadata of another type': 'metadata = \'{"client_name": ["Zoë"]}\'',
  'metadata that is deeper than any registration': `metadata = '{"data":${'{"a":'.repeat(3000)}1${'}'.repeat(3001)}'`,
  'privileges that are none': 'privileges = \'{"grant_types": "Zoë"}\'',
  'a secret without an end': 'client_secret_expires_at = NULL',
  'an end without a secret': 'client_secret = NULL',
  'a time before time': 'client_id_issued_at = -1',
  'a secret that does not open': "client_secret = 'Zoë'",
  'a secret of another client': "client_secret = (SELECT client_secret FROM clients WHERE client_id = 'before')",
  'a token of another client':
    "registration_access_token = (SELECT registration_access_token FROM clients WHERE client_id = 'before')",
  'a secret in place of a token': 'registration_access_token = client_secret',
  'a hash that is none': "registration_access_token_hash = 'Zoë'",
}

for (const [what, assignment] of Object.entries(spoilt))
  row(
    `${what}: refused without what it holds, listed as unreadable, and no end of the list`,
    inFolder(async (file) => {
      const store = opened(file)
      const clients = ['before', 'spoilt', 'after'].map((id) => exampleClient(id))
      for (const client of clients) await done(store.registry.addClient(client, O.none, noLimits))
      const other = new Database(file)
      assert.is(other.prepare(`UPDATE clients SET ${assignment} WHERE client_id = 'spoilt'`).run().changes, 1)
      other.close()
      const each: Array<unknown> = []
      for await (const item of store.registry.streamClients()) each.push(E.isLeft(item) ? item.left.error : item.right)
      assert.equal(each, [clients[0], 'unreadable_client', clients[2]])
      if (!assignment.startsWith('client_id ')) {
        const refusal = await refused(store.registry.findClient(exampleId('spoilt')))
        assert.is(refusal.error, 'unavailable')
        assert.match(JSON.stringify(refusal.detail), /cannot be read/)
        assert.not.match(JSON.stringify(refusal), /Zo|life/)
      }
      assert.equal(await done(store.registry.findClient(exampleId('after'))), O.some(clients[2]))
      await store.close()
    }),
  )

row('metadata as deep as a registration may be is kept', () => {
  const nested = (depth: number): JsonObject => (depth === 1 ? { end: 1 } : { deeper: nested(depth - 1) })
  const deepest = withDefaults({ redirect_uris: ['https://rp.example/cb'], data: nested(maximumDepth - 1) })
  assert.ok(isJsonObject(maximumDepth)({ ...deepest }) && !isJsonObject(maximumDepth - 1)({ ...deepest }))
  const client = { ...exampleClient('a'), metadata: permittedWhenStored(deepest) }
  assert.equal(fromRow({ ...toRow(client), ordinal: 1 }), E.right(client))
})

row('whatever is no row at all is refused', () => {
  for (const input of [undefined, null, 7, 'row', [], {}, { ...toRow(exampleClient('a')), version: 'one', ordinal: 1 }])
    assert.ok(E.isLeft(fromRow(input)))
})

row('columns that a later schema adds are passed over', () => {
  const client: RegisteredClient = { ...exampleClient('a'), secret: undefined }
  assert.equal(fromRow({ ...toRow(client), ordinal: 1, added: 'later' }), E.right(client))
})

row.run()
