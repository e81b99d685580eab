// The keys are unavailable for a while, for example because a key management service is down: nothing is written then,
// and nothing is lost.
import { operatorOfTheStore } from '@clientele/domain/authorization'
import { usedSession } from '@clientele/domain/logout'
import type { Store } from '@clientele/domain/ports'
import {
  done,
  exampleArtefact,
  replaceRings,
  exampleAuthorization,
  exampleClient,
  exampleConsent,
  exampleForeignKey,
  exampleHash,
  exampleKeyRing,
  exampleSession,
  exampleTime,
  exampleToken,
  refused,
  updatedExample,
  addition,
  noRow,
  giveConsent,
} from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { beside } from './support/beside.js'
import { encryptionWith, interrupted } from './support/encryption.js'
import { inFolder, opened, refusalOf } from './support/temporary-store.js'

const away = suite('encryption that is unavailable')

const client = exampleClient('a')
const next = updatedExample(exampleClient('a'))
const session = exampleSession('one', ['a'])
const granted = exampleAuthorization(client, 'granted')
const artefact = exampleArtefact('access_token', 'one')
const consent = exampleConsent(client)
const ring = exampleKeyRing()
const foreignKey = exampleForeignKey('theirs')

const writes: Readonly<Record<string, (store: Store) => Promise<E.Either<{ readonly error: string }, unknown>>>> = {
  'a registration': ({ registry }) => registry.addClient(addition(exampleClient('new')))(),
  'an update': ({ registry }) => registry.replaceClient({ next, replacing: client, audit: noRow })(),
  'an initial access token': ({ initialAccessTokens }) =>
    initialAccessTokens.addInitialAccessToken(exampleToken('new'), exampleTime, noRow)(),
  'a session': ({ endUserSessions }) =>
    endUserSessions.addSession(exampleSession('new'), exampleHash('new'), exampleTime, noRow)(),
  'the use of a session': ({ endUserSessions }) =>
    endUserSessions.replaceSession({ next: usedSession(exampleTime)(session), replacing: session, audit: noRow })(),
  'a grant': ({ authorizations }) =>
    authorizations.recordAuthorization(exampleAuthorization(client, 'new'), exampleTime)(),
  'an artefact': ({ artefacts }) => artefacts.storeArtefact(exampleArtefact('grant', 'new'), exampleTime)(),
  'a consent': ({ consents }) => consents.recordConsent(exampleConsent(client, 'ann'), O.none)(),
  'a key ring': ({ keyRings }) =>
    replaceRings(keyRings)([{ next: { ...ring, version: 2 }, replacing: O.some(ring) }])(),
  'a key of another signer': ({ foreignKeys }) =>
    foreignKeys.addForeignKeys([{ ...foreignKey, kid: 'new' }], [{ ...ring, version: 2 }], noRow)(),
}

const reads: Readonly<Record<string, (store: Store) => Promise<E.Either<{ readonly error: string }, unknown>>>> = {
  'a client': ({ registry }) => registry.findClient(client.client_id)(),
  'a client by its token': ({ registry }) =>
    registry.findClientByToken(client.client_id, client.registration_access_token.hash)(),
  'an initial access token': ({ initialAccessTokens }) =>
    initialAccessTokens.findInitialAccessToken(exampleToken('one').hash)(),
  'the list of initial access tokens': ({ initialAccessTokens }) =>
    initialAccessTokens.listInitialAccessTokens(exampleTime, 10)(),
  'a session': ({ endUserSessions }) => endUserSessions.findSession(exampleHash('cookie'))(),
  'the sessions of an end-user': ({ endUserSessions }) => endUserSessions.listSessions('zoe')(),
  'a grant': ({ authorizations }) => authorizations.findAuthorization(granted.kind, granted.hash)(),
  'an artefact': ({ artefacts }) => artefacts.findArtefact(artefact.kind, artefact.hash)(),
  'a consent': ({ consents }) => consents.findConsent(consent.sub, consent.client)(),
  'key rings': ({ keyRings }) => keyRings.readKeyRings(),
  'keys of other signers': ({ foreignKeys }) => foreignKeys.readForeignKeys(),
}

const fill = async (store: Store): Promise<void> => {
  await done(store.registry.addClient(addition(client)))
  await done(store.initialAccessTokens.addInitialAccessToken(exampleToken('one'), exampleTime, noRow))
  await done(store.endUserSessions.addSession(session, exampleHash('cookie'), exampleTime, noRow))
  await done(store.authorizations.recordAuthorization(granted, exampleTime))
  await done(store.artefacts.storeArtefact(artefact, exampleTime))
  await done(giveConsent(store, consent))
  await done(replaceRings(store.keyRings)([{ next: ring, replacing: O.none }]))
  await done(store.foreignKeys.addForeignKeys([foreignKey], [ring], noRow))
}

const tables = [
  'clients',
  'initial_access_tokens',
  'end_user_sessions',
  'authorizations',
  'artefacts',
  'consents',
  'key_rings',
  'foreign_keys',
]
const everyRow = (file: string): unknown =>
  beside(file, (db) => tables.map((table) => db.prepare(`SELECT * FROM ${table}`).all()))

away(
  'each write and each read is unavailable, nothing is written, and all goes on afterwards',
  inFolder(async (file) => {
    const state = { isInterrupted: false }
    const store = await opened(file, {
      encryption: interrupted(encryptionWith('the right key'), () => state.isInterrupted),
    })
    await fill(store)
    const before = everyRow(file)
    state.isInterrupted = true
    for (const [what, run] of Object.entries({ ...writes, ...reads })) {
      const outcome = await run(store)
      assert.is(E.isLeft(outcome) ? outcome.left.error : 'done', 'unavailable', what)
    }
    assert.is(
      (await refused(store.sealAnew(operatorOfTheStore())({ after: undefined, dryRun: false }))).error,
      'unavailable',
    )
    const list: Array<unknown> = []
    for await (const each of store.registry.streamClients()) list.push(E.isLeft(each) ? each.left.error : each.right)
    assert.equal(list, ['unavailable'])
    assert.equal(everyRow(file), before)
    await done(store.check)
    state.isInterrupted = false
    for (const [what, run] of Object.entries({ ...reads, ...writes })) assert.ok(E.isRight(await run(store)), what)
    await store.close()
  }),
)

away(
  'a store is not opened, and nothing is changed',
  inFolder(async (file) => {
    const encryption = interrupted(encryptionWith('the right key'), () => true)
    assert.is((await refusalOf(file, { encryption })).refusal, 'encryption-unavailable')
    const store = await opened(file)
    await fill(store)
    await store.close()
    const before = everyRow(file)
    const refusal = await refusalOf(file, { encryption })
    assert.is(refusal.refusal, 'encryption-unavailable')
    assert.match(refusal.message, 'no keys now')
    assert.equal(everyRow(file), before)
  }),
)

away.run()
