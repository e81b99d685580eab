import Database from 'better-sqlite3'
import {
  done,
  exampleArtefact,
  exampleAuthorization,
  exampleClient,
  exampleConsent,
  exampleTime,
  exampleToken,
  updatedExample,
  addition,
  noRow,
  removal,
  giveConsent,
} from '@clientele/testing'
import { existsSync, readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { inFolder, opened } from './support/temporary-store.js'

const secrecy = suite('what lies on the disk')

const clients = ['one', 'two', 'three'].map((id) => exampleClient(id))
const replaced = clients.map((client) => updatedExample(client))
const credentials = [...clients, ...replaced].flatMap(({ secret, registration_access_token }) => [
  secret?.client_secret ?? 'no secret',
  registration_access_token.token,
])

const assertSecret = (file: string): void => {
  const bytes = readFileSync(file)
  for (const credential of ['a-fresh-digest-key', 'a-claim-of-an-end-user', 'a-shown-fact', ...credentials])
    for (const encoding of ['utf8', 'base64url', 'hex'] as const)
      assert.not.ok(bytes.includes(Buffer.from(credential).toString(encoding)), `${credential} in ${file}`)
}

secrecy(
  'neither a secret nor a token nor the digest key nor a claim is in the database, its log or a backup in clear',
  inFolder(async (file, folder) => {
    const store = await opened(file)
    await done(store.initialAccessTokens.addInitialAccessToken(exampleToken('one'), exampleTime, noRow))
    for (const client of clients) await done(store.registry.addClient(addition(client)))
    await done(
      store.authorizations.recordAuthorization(
        exampleAuthorization(clients[0] ?? exampleClient('none'), 'one'),
        exampleTime,
      ),
    )
    const payload = { claims: { email: 'a-claim-of-an-end-user' } }
    await done(store.artefacts.storeArtefact({ ...exampleArtefact('account', 'one'), payload }, exampleTime))
    const consent = exampleConsent(clients[0] ?? exampleClient('none'))
    await done(giveConsent(store, { ...consent, shown: { host: 'a-shown-fact' } }))
    for (const [index, client] of clients.entries())
      await done(store.registry.replaceClient({ next: replaced[index] ?? client, replacing: client, audit: noRow }))
    const reader = new Database(file, { readonly: true })
    await reader.backup(`${folder}/backup.db`)
    reader.close()
    assert.ok(readFileSync(`${file}-wal`).includes('three'), 'the log holds the clients')
    for (const each of [file, `${file}-wal`, `${folder}/backup.db`]) assertSecret(each)
    await store.close()
    assert.ok(readFileSync(file).includes('three'), 'the file holds the clients')
    assertSecret(file)
  }),
)

secrecy(
  'of a deleted client only its identifiers are in the file, for the providers that are not informed yet',
  inFolder(async (file) => {
    const store = await opened(file)
    const client = exampleClient('short-lived')
    const { token, hash } = client.registration_access_token
    await done(store.registry.addClient(addition(client)))
    await done(store.registry.removeClient(removal(client.client_id)))
    await store.close()
    assert.not.ok(existsSync(`${file}-wal`))
    const bytes = readFileSync(file, 'latin1')
    const event = { event: 'client_deleted', client_id: client.client_id, registration_id: client.registration_id }
    assert.equal(bytes.split('short-lived').length, JSON.stringify(event).split('short-lived').length)
    assert.ok(bytes.includes(JSON.stringify(event)))
    for (const text of [token, hash, ...(client.metadata.redirect_uris ?? [])])
      assert.not.ok(bytes.includes(text), text)
  }),
)

secrecy.run()
