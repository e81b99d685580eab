import { newRing, noLimits, operatorOfTheStore, type Encryption, type Store } from '@clientele/domain'
import {
  done,
  exampleArtefact,
  replaceRings,
  exampleAuthorization,
  exampleClient,
  exampleConsent,
  exampleHash,
  exampleSession,
  exampleTime,
  exampleToken,
  listed,
  namedKey,
  updatedExample,
} from '@clientele/testing'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { beside } from './support/beside.js'
import { encryptionWith } from './support/encryption.js'
import { inFolder, opened, refusalOf } from './support/temporary-store.js'

const anew = suite('sealing anew')

const oldKey = encryptionWith('the old key')
const newKey = encryptionWith('the new key')

/** Seals with the new key, and decrypts values of either key. */
const both: Encryption = {
  ...newKey,
  open: (sealed, context) =>
    pipe(
      newKey.isCurrent(sealed),
      TE.flatMap((isCurrent) => (isCurrent ? newKey : oldKey).open(sealed, context)),
    ),
}

const ids = Array.from({ length: 450 }, (_, index) => `client-${index}`)
const token = exampleToken('one')
const session = exampleSession('one', ['client-1'])
const granted = exampleAuthorization(exampleClient('client-2'), 'granted')
const client = exampleClient('client-3')
const artefact = { ...exampleArtefact('grant', 'of-three'), client }
const consent = exampleConsent(client)
const { client_id, registration_id } = client
const owned = { ...exampleToken('owned'), owner: { client_id, registration_id } }
const ring = newRing({ lifetime: 100, publishAhead: 20, retention: 10, maxAge: 10 }, exampleTime)(
  'ES256',
  'sig',
  namedKey('ES256'),
)

const fill = async (store: Store): Promise<void> => {
  await Promise.all(ids.map((id) => done(store.registry.addClient(exampleClient(id), O.none, noLimits))))
  await done(store.initialAccessTokens.addInitialAccessToken(token, exampleTime))
  await done(store.endUserSessions.addSession(session, exampleHash('cookie'), exampleTime))
  await done(store.authorizations.recordAuthorization(granted, exampleTime))
  await done(store.artefacts.storeArtefact(artefact, exampleTime))
  await done(store.consents.recordConsent(consent))
  await done(store.initialAccessTokens.addInitialAccessToken(owned, exampleTime))
  await done(replaceRings(store.keyRings)([{ next: ring, replacing: O.none }]))
}

const assertWhole = async (store: Store): Promise<void> => {
  assert.equal(
    await listed(store.registry),
    ids.map((id) => exampleClient(id)),
  )
  assert.equal(await done(store.initialAccessTokens.findInitialAccessToken(token.hash)), O.some(token))
  assert.equal(await done(store.endUserSessions.findSession(exampleHash('cookie'))), O.some(session))
  assert.equal(await done(store.authorizations.findAuthorization(granted.kind, granted.hash)), O.some(granted))
  const found = await done(store.artefacts.findArtefact(artefact.kind, artefact.hash))
  assert.equal(found, O.some({ ...artefact, client: { client_id, registration_id } }))
  assert.equal(await done(store.consents.findConsent(consent.sub, consent.client)), O.some(consent))
  assert.equal(await done(store.initialAccessTokens.findInitialAccessToken(owned.hash)), O.some(owned))
  assert.equal(await done(store.keyRings.readKeyRings), [ring])
}

anew(
  'with both keys everything is read, and once it is sealed anew the old key may go',
  inFolder(async (file) => {
    const before = await opened(file, { encryption: oldKey })
    const { digestKey } = before
    await fill(before)
    await before.close()
    assert.is((await refusalOf(file, { encryption: newKey })).refusal, 'wrong-encryption-key')

    const between = await opened(file, { encryption: both })
    await assertWhole(between)
    assert.equal(await done(between.sealAnew(operatorOfTheStore())), { sealed: ids.length + 7, unreadable: 0 })
    assert.equal(await done(between.sealAnew(operatorOfTheStore())), { sealed: 0, unreadable: 0 })
    await assertWhole(between)
    await between.close()

    const after = await opened(file, { encryption: newKey })
    assert.is(after.digestKey, digestKey)
    await assertWhole(after)
    await after.close()
  }),
)

anew(
  'what no key opens stays as it is and is counted; what is written meanwhile is not overwritten',
  inFolder(async (file) => {
    const before = await opened(file, { encryption: oldKey })
    await fill(before)
    await before.close()
    beside(file, (db) => db.exec("UPDATE clients SET metadata = '{}' WHERE client_id = 'client-7'"))

    const store = await opened(file, { encryption: both })
    const replaced = updatedExample(exampleClient('client-449'))
    const [sealed] = await Promise.all([
      done(store.sealAnew(operatorOfTheStore())),
      done(store.registry.replaceClient(replaced, exampleClient('client-449'))),
    ])
    assert.is(sealed.unreadable, 1)
    assert.equal(await done(store.registry.findClient(replaced.client_id)), O.some(replaced))
    await store.close()
  }),
)

anew.run()
