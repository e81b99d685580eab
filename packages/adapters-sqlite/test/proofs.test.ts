// Rows of which a writer of the file without the key changed a proven column: none of them is accepted.
import {
  connectionsOf,
  done,
  exampleArtefact,
  exampleAuthorization,
  exampleClient,
  exampleConsent,
  exampleHash,
  exampleSession,
  exampleSubject,
  exampleTime,
  exampleToken,
  refused,
  addition,
  noRow,
  giveConsent,
} from '@clientele/testing'
import { epochSeconds, secondsAfter } from '@clientele/domain/kernel'
import { type Store, initialAccessTokenConsumed } from '@clientele/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { beside } from './support/beside.js'
import { inFolder, opened } from './support/temporary-store.js'

const proofs = suite('proofs of rows')

const token = exampleToken('one')
const client = exampleClient('a')
const consent = exampleConsent(client)
const grant = { ...exampleArtefact('grant', 'grant'), client, sub: consent.sub }
const artefact = {
  ...exampleArtefact('access_token', 'artefact'),
  name: exampleHash('name'),
  client,
  grant: grant.hash,
  sub: consent.sub,
  predecessor: exampleHash('predecessor'),
}
const granted = exampleAuthorization(exampleClient('a'), 'granted')

const filled = async (file: string): Promise<Store> => {
  const store = await opened(file)
  for (const id of ['a', 'b']) await done(store.registry.addClient(addition(exampleClient(id))))
  for (const each of [{ ...token, scope: 'client-reg:data' }, exampleToken('other')])
    await done(store.initialAccessTokens.addInitialAccessToken(each, exampleTime, noRow))
  for (const sid of ['one', 'other'])
    await done(store.endUserSessions.addSession(exampleSession(sid), exampleHash(`cookie-${sid}`), exampleTime, noRow))
  await done(store.authorizations.recordAuthorization(granted, exampleTime))
  for (const each of [grant, artefact]) await done(store.artefacts.storeArtefact(each, exampleTime))
  await done(giveConsent(store, consent))
  const { client_id, registration_id } = client
  const owned = { ...exampleToken('owned'), owner: { client_id, registration_id } }
  await done(store.initialAccessTokens.addInitialAccessToken(owned, exampleTime, noRow))
  return store
}

const changed: Readonly<Record<string, readonly [assignment: string, find: (store: Store) => Promise<string>]>> = {
  'a wider scope of an initial access token': ["initial_access_tokens SET scope = 'client-reg'", findToken],
  'a later end of an initial access token': ['initial_access_tokens SET expires_at = expires_at + 1', findToken],
  'the proof of another token': [
    `initial_access_tokens SET proof = (SELECT proof FROM initial_access_tokens WHERE hash <> '${token.hash}')`,
    findToken,
  ],
  'another end-user in a session': ["end_user_sessions SET sub = 'max'", findSession],
  'a longer session': ['end_user_sessions SET expires_at = expires_at + 1', findSession],
  'a session that is never idle': ['end_user_sessions SET idle_lifetime = 1000000', findSession],
  'another client of a grant': [
    "authorizations SET client = (SELECT ordinal FROM clients WHERE client_id = 'b')",
    findGrant,
  ],
  'other details of a grant': [`authorizations SET details = '{"subject":"max"}'`, findGrant],
  'a grant that never ends': ['authorizations SET expires_at = 0', findGrant],
  'a token without its owner': ['initial_access_tokens SET owner = NULL', findOwned],
  'a token of another owner': [
    "initial_access_tokens SET owner = (SELECT ordinal FROM clients WHERE client_id = 'b')",
    findOwned,
  ],
  'a consent that was given to another client': [
    "consents SET client = (SELECT ordinal FROM clients WHERE client_id = 'b')",
    findConsent,
  ],
  'a consent of another end-user': [
    "consents SET sub = 'max'",
    async (store) => findConsent(store, exampleSubject('max'), client),
  ],
  ...Object.fromEntries(
    Object.entries({
      'an artefact of another kind': ["SET kind = 'refresh_token'", 'refresh_token'],
      'an artefact of another client': ["SET client = (SELECT ordinal FROM clients WHERE client_id = 'b')"],
      'an artefact of no client': ['SET client = NULL'],
      'an artefact without its grant': ['SET grant_hash = NULL'],
      'an artefact in a session': ["SET session = 'one'"],
      'an artefact of another end-user': ["SET sub = 'max'"],
      'an artefact without its predecessor': ['SET predecessor = NULL'],
      'an artefact without its name': ['SET name = NULL'],
      'an artefact that expires later': ['SET expires_at = expires_at + 1'],
    } as const).map(([what, [assignment, kind = artefact.kind]]) => [
      what,
      [
        `artefacts ${assignment} WHERE hash = '${artefact.hash}'`,
        async ({ artefacts }: Store) => (await refused(artefacts.findArtefact(kind, artefact.hash))).error,
      ] as const,
    ]),
  ),
}

// It is listed without what it says, so that an operator revokes it.
async function findConsent(store: Store, sub = consent.sub, of = exampleClient('b')): Promise<string> {
  const listed = await done(connectionsOf(store, sub))
  assert.equal(
    listed.map(({ scope, resources }) => [scope, resources]),
    [[[], {}]],
  )
  return (await refused(store.consents.findConsent(sub, of))).error
}

async function findOwned({ initialAccessTokens }: Store): Promise<string> {
  return (await refused(initialAccessTokens.findInitialAccessToken(exampleHash('owned')))).error
}

async function findToken({ initialAccessTokens }: Store): Promise<string> {
  return (await refused(initialAccessTokens.findInitialAccessToken(token.hash))).error
}

async function findSession({ endUserSessions }: Store): Promise<string> {
  return (await refused(endUserSessions.findSession(exampleHash('cookie-one')))).error
}

async function findGrant({ authorizations }: Store): Promise<string> {
  return (await refused(authorizations.findAuthorization(granted.kind, granted.hash))).error
}

for (const [what, [assignment, find]] of Object.entries(changed))
  proofs(
    `${what} does not count`,
    inFolder(async (file) => {
      const store = await filled(file)
      beside(file, (db) => db.exec(`UPDATE ${assignment}`))
      assert.is(await find(store), 'unavailable')
      await store.close()
    }),
  )

proofs(
  'a session by the cookie of another one does not count',
  inFolder(async (file) => {
    const store = await filled(file)
    beside(file, (db) => {
      db.exec("DELETE FROM end_user_sessions WHERE sid = 'one'")
      db.prepare("UPDATE end_user_sessions SET cookie_hash = ? WHERE sid = 'other'").run(exampleHash('cookie-one'))
    })
    assert.is(await findSession(store), 'unavailable')
    await store.close()
  }),
)

proofs(
  'an initial access token that was not issued is invalid, and a consumed one cannot be restored by its columns alone',
  inFolder(async (file) => {
    const store = await filled(file)
    const other = exampleToken('other')
    await done(store.registry.addClient(addition(exampleClient('c'), { consumedToken: O.some(other.hash) })))
    beside(file, (db) =>
      db
        .prepare("INSERT INTO initial_access_tokens (hash, scope, expires_at, proof) VALUES (?, 'client-reg', ?, '')")
        .run(other.hash, other.expires_at),
    )
    assert.is((await refused(store.initialAccessTokens.findInitialAccessToken(other.hash))).error, 'unavailable')
    const listed = await done(store.initialAccessTokens.listInitialAccessTokens(exampleTime, 10))
    assert.equal(listed.map(({ hash }) => hash).sort(), [token.hash, exampleHash('owned')].sort())
    await done(store.initialAccessTokens.removeInitialAccessToken(other.hash, noRow))
    const again = store.registry.addClient(addition(exampleClient('d'), { consumedToken: O.some(other.hash) }))
    assert.equal(await refused(again), initialAccessTokenConsumed)
    await store.close()
  }),
)

proofs(
  'an authorization that has expired is forgotten when others are recorded, and one that never expires is not',
  inFolder(async (file) => {
    const store = await filled(file)
    const lasting = { ...exampleAuthorization(exampleClient('a'), 'lasting'), expires_at: epochSeconds(0) }
    await done(store.authorizations.recordAuthorization(lasting, exampleTime))
    const next = exampleAuthorization(exampleClient('b'), 'next')
    const later = secondsAfter(granted.expires_at, 1)
    await done(store.authorizations.recordAuthorization({ ...next, expires_at: secondsAfter(later, 60) }, later))
    assert.equal(await done(store.authorizations.findAuthorization(granted.kind, granted.hash)), O.none)
    assert.equal(await done(store.authorizations.findAuthorization(lasting.kind, lasting.hash)), O.some(lasting))
    await store.close()
  }),
)

proofs(
  'a session that is moved to another cookie gets no proof by being used',
  inFolder(async (file) => {
    const store = await filled(file)
    const found = await done(store.endUserSessions.findSession(exampleHash('cookie-one')))
    const session = O.toUndefined(found)
    assert.ok(session !== undefined)
    beside(file, (db) =>
      db.prepare('UPDATE end_user_sessions SET cookie_hash = ? WHERE sid = ?').run(exampleHash('mine'), session.sid),
    )
    const next = { ...session, version: session.version + 1 }
    assert.is(
      (await refused(store.endUserSessions.replaceSession({ next, replacing: session, audit: noRow }))).error,
      'session_changed',
    )
    assert.is((await refused(store.endUserSessions.findSession(exampleHash('mine')))).error, 'unavailable')
    await store.close()
  }),
)

proofs.run()
