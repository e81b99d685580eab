// A change of the encryption key, on any store that seals.
import {
  type Encryption,
  type RegisteredClient,
  type Store,
  epochSeconds,
  newRing,
  noLimits,
  operatorOfTheStore,
} from '@clientele/domain'
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import {
  exampleArtefact,
  exampleAuthorization,
  exampleClient,
  exampleConsent,
  exampleHash,
  exampleParking,
  exampleRemoval,
  exampleSession,
  exampleTime,
  exampleToken,
  updatedExample,
} from '../examples/examples.js'
import { namedKey } from '../arbitraries/key-history.js'
import { propertyRuns, runParameters } from '../property-runs.js'
import { type Contract, collect } from './contract.js'
import { done, listed, refused, replaceRings, sealedInSteps } from './open-store.js'

/** A new, empty store that is opened again and again. */
export type Reopened = {
  /** Opens it by the encryption; rejects with the kind of refusal as the message. */
  readonly open: (encryption: Encryption) => Promise<Store>
  readonly discard: () => Promise<void>
}

export type SealingParts = {
  readonly newStore: () => Promise<Reopened>
  readonly earlier: Encryption
  readonly next: Encryption
  /** Seals by the next key, and opens what either sealed. */
  readonly both: Encryption
}

const client = exampleClient('client-3')
const { client_id, registration_id } = client
const token = exampleToken('one')
const owned = { ...exampleToken('owned'), owner: { client_id, registration_id } }
const session = exampleSession('one', ['client-1'])
const granted = exampleAuthorization(exampleClient('client-2'), 'granted')
const artefact = { ...exampleArtefact('grant', 'of-three'), client }
const consent = exampleConsent(client)
const ring = newRing({ lifetime: 100, publishAhead: 20, retention: 10, maxAge: 10 }, exampleTime)(
  'ES256',
  'sig',
  namedKey('ES256'),
)
/** A client that the service removed by itself, and keeps aside. */
const removed: RegisteredClient = { ...exampleClient('removed'), registered_by: 'nobody' }
/** The digest key, and one value of each kind beside the clients. */
const others = 8

/** More than one step of clients. */
const many = Array.from({ length: 1_100 }, (_, index) => `client-${index}`)

const addClients = async ({ registry }: Store, ids: ReadonlyArray<string>): Promise<void> => {
  await Promise.all(ids.map((id) => done(registry.addClient(exampleClient(id), O.none, noLimits))))
}

const fill = async (store: Store): Promise<void> => {
  await addClients(store, many)
  await done(store.initialAccessTokens.addInitialAccessToken(token, exampleTime))
  await done(store.endUserSessions.addSession(session, exampleHash('cookie'), exampleTime))
  await done(store.authorizations.recordAuthorization(granted, exampleTime))
  await done(store.artefacts.storeArtefact(artefact, exampleTime))
  await done(store.consents.recordConsent(consent))
  await done(store.initialAccessTokens.addInitialAccessToken(owned, exampleTime))
  await done(replaceRings(store.keyRings)([{ next: ring, replacing: O.none }]))
  await done(store.registry.addClient(removed, O.none, noLimits))
  await done(store.clientUses.parkUnused(exampleParking(exampleTime), 1))
  const tombstone = { id: exampleHash('tombstone'), until: exampleTime }
  assert.ok(await done(store.clientUses.removeParked(removed, exampleRemoval(exampleTime), tombstone, exampleTime)))
}

const byId = (clients: ReadonlyArray<{ readonly client_id: string }>): ReadonlyArray<unknown> =>
  [...clients].sort((one, other) => (one.client_id < other.client_id ? -1 : 1))

const assertWhole = async (store: Store): Promise<void> => {
  assert.equal(byId(await listed(store.registry)), byId(many.map((id) => exampleClient(id))))
  assert.equal(await done(store.initialAccessTokens.findInitialAccessToken(token.hash)), O.some(token))
  assert.equal(await done(store.endUserSessions.findSession(exampleHash('cookie'))), O.some(session))
  assert.equal(await done(store.authorizations.findAuthorization(granted.kind, granted.hash)), O.some(granted))
  const found = await done(store.artefacts.findArtefact(artefact.kind, artefact.hash))
  assert.equal(found, O.some({ ...artefact, client: { client_id, registration_id } }))
  assert.equal(await done(store.consents.findConsent(consent.sub, consent.client)), O.some(consent))
  assert.equal(await done(store.initialAccessTokens.findInitialAccessToken(owned.hash)), O.some(owned))
  assert.equal(await done(store.keyRings.readKeyRings), [ring])
  const restoring = { since: epochSeconds(0), at: exampleTime, tombstone: undefined }
  await done(store.clientUses.restoreRemoved(removed.client_id, restoring))
  const restored = O.some({ ...removed, waits_since: exampleTime })
  assert.equal(await done(store.registry.findClient(removed.client_id)), restored)
  await done(store.clientUses.parkUnused(exampleParking(exampleTime), 1))
  const tombstone = { id: exampleHash('tombstone'), until: exampleTime }
  assert.ok(await done(store.clientUses.removeParked(removed, exampleRemoval(exampleTime), tombstone, exampleTime)))
}

const opening = (reopened: Reopened, encryption: Encryption): Promise<string> =>
  reopened.open(encryption).then(
    async (store) => {
      await store.close()
      return 'opened'
    },
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )

/** What happens during a change of the key: `restart` is a process that was killed between two steps. */
type Event = 'register' | 'replace' | 'step' | 'begin anew' | 'restart'

const events = fc.array(fc.constantFrom<Event>('register', 'replace', 'step', 'step', 'begin anew', 'restart'), {
  maxLength: 12,
})

type History = { store: Store; after: string | undefined; ids: Array<string>; replaced: Set<string> }

const happen = async (history: History, event: Event, reopen: () => Promise<Store>): Promise<void> => {
  const { store, ids, replaced } = history
  if (event === 'register') {
    const id = `later-${ids.length}`
    await addClients(store, [id])
    ids.push(id)
  }
  const [id] = event === 'replace' ? ids.filter((each) => !replaced.has(each)) : []
  if (id !== undefined) {
    await done(store.registry.replaceClient(updatedExample(exampleClient(id)), exampleClient(id)))
    replaced.add(id)
  }
  if (event === 'step')
    history.after = (await done(store.sealAnew(operatorOfTheStore())({ after: history.after, dryRun: false }))).next
  if (event === 'begin anew' || event === 'restart') history.after = undefined
  if (event === 'restart') {
    await store.close()
    history.store = await reopen()
  }
}

/** The promises of sealing anew with another key. */
export const sealingContract = (name: string, { newStore, earlier, both, next }: SealingParts): Contract => {
  const { test, tests } = collect(`sealing anew ${name}`)
  const on = (body: (reopened: Reopened) => Promise<void>) => async (): Promise<void> => {
    const reopened = await newStore()
    try {
      await body(reopened)
    } finally {
      await reopened.discard()
    }
  }

  test(
    'with both keys everything is read, and once all is sealed anew the earlier key may go',
    on(async (reopened) => {
      const before = await reopened.open(earlier)
      const { digestKey } = before
      await fill(before)
      await before.close()
      assert.is(await opening(reopened, next), 'wrong-encryption-key')
      const between = await reopened.open(both)
      await assertWhole(between)
      const values = many.length + others + 1
      assert.is(await done(between.countSealed), values)
      // The opening seals the digest key with the first key.
      assert.equal(await sealedInSteps(between, true), { values, sealed: values - 1, unreadable: 0 })
      assert.equal(await sealedInSteps(between, true), { values, sealed: values - 1, unreadable: 0 })
      assert.equal(await sealedInSteps(between), { values, sealed: values - 1, unreadable: 0 })
      assert.equal(await sealedInSteps(between), { values, sealed: 0, unreadable: 0 })
      await assertWhole(between)
      await between.close()
      const after = await reopened.open(next)
      assert.is(after.digestKey, digestKey)
      await assertWhole(after)
      await after.close()
    }),
  )

  test(
    'a step ends soon, and one that is not of this store is refused',
    on(async (reopened) => {
      const store = await reopened.open(earlier)
      await fill(store)
      const sealAnew = store.sealAnew(operatorOfTheStore())
      const first = await done(sealAnew({ after: undefined, dryRun: true }))
      assert.ok(first.values < many.length)
      assert.type(first.next, 'string')
      for (const after of ['', '[]', '{}', 'null', '["clients"]', '["sqlite_schema","a"]', '["secrets",1]', '[1'])
        assert.is((await refused(sealAnew({ after, dryRun: true }))).error, 'invalid_request', after)
      await store.close()
    }),
  )

  test(
    'a client that is replaced while its page is sealed stays replaced, and is not counted',
    on(async (reopened) => {
      const start = await reopened.open(earlier)
      const ids = many.slice(0, 300)
      await addClients(start, ids)
      await start.close()
      const replaced = [ids[7], ids[250]].flatMap((id) => (id === undefined ? [] : [exampleClient(id)]))
      const waiting = [...replaced]
      const interrupted: { store?: Store } = {}
      // Replaces a client at the next sealing, which is of a page that was read.
      const replacing: Encryption = {
        ...both,
        seal: (text, context) => async () => {
          const { store: running } = interrupted
          const client = running === undefined ? undefined : waiting.pop()
          if (client !== undefined) await running?.registry.replaceClient(updatedExample(client), client)()
          return both.seal(text, context)()
        },
      }
      const store = await reopened.open(replacing)
      interrupted.store = store
      const { sealed } = await sealedInSteps(store)
      assert.is(sealed, ids.length - replaced.length)
      await store.close()
      const after = await reopened.open(next)
      const stored = (id: string) =>
        replaced.some(({ client_id: each }) => each === id) ? updatedExample(exampleClient(id)) : exampleClient(id)
      assert.equal(byId(await listed(after.registry)), byId(ids.map(stored)))
      await after.close()
    }),
  )

  const changeOfKey = async (reopened: Reopened, all: ReadonlyArray<Event>): Promise<void> => {
    const start = await reopened.open(earlier)
    const ids = Array.from({ length: 30 }, (_, index) => `client-${index}`)
    await addClients(start, ids)
    await start.close()
    const reopen = (): Promise<Store> => reopened.open(both)
    const history: History = { store: await reopen(), after: undefined, ids, replaced: new Set() }
    for (const event of all) await happen(history, event, reopen)
    await sealedInSteps(history.store)
    assert.is((await sealedInSteps(history.store, true)).sealed, 0)
    await history.store.close()
    const after = await reopened.open(next)
    const stored = (id: string) => (history.replaced.has(id) ? updatedExample(exampleClient(id)) : exampleClient(id))
    assert.equal(byId(await listed(after.registry)), byId(ids.map(stored)))
    await after.close()
  }

  test('whatever happens between two steps, nothing is lost and the next key opens all', () =>
    fc.assert(
      fc.asyncProperty(events, async (all) => on((reopened) => changeOfKey(reopened, all))()),
      { ...runParameters(), numRuns: Math.min(propertyRuns(), 10) },
    ))

  return tests
}
