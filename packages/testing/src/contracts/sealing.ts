// The opened store itself, and a change of its encryption key, on any store that seals.
import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as assert from 'uvu/assert'
import { operatorOfTheStore } from '@clientele/domain/authorization'
import { epochSeconds } from '@clientele/domain/kernel'
import type { Encryption, Store } from '@clientele/domain/ports'
import type { RegisteredClient } from '@clientele/domain/registration'
import { type Contract, collect, contract, done, listed, numbers, refused, sealedInSteps } from './contract.js'
import {
  register,
  replaceRings,
  beginSession,
  issueToken,
  registerExamples,
  replaceClient,
  storeArtefact,
} from './steps.js'
import {
  addition,
  exampleArtefact,
  exampleAuthorization,
  exampleClient,
  exampleConsent,
  exampleHash,
  exampleKeyRing,
  exampleParking,
  exampleRemoval,
  exampleSession,
  exampleTime,
  exampleToken,
  noRow,
  registrationOf,
  replacement,
  revokeExample,
  updatedExample,
  giveConsent,
  openExample,
} from '../examples.js'
import { propertyRuns, runParameters } from '../property-runs.js'

/** The promises of Store itself; each store tests its `close`. */
export const openedStoreContract = contract<Store>('The opened store', (it) => {
  it('every handle has the same digest key, and says that it can read and write', async ({
    digestKey,
    check,
    other,
  }) => {
    assert.ok(digestKey.length > 0)
    assert.is(digestKey, other.digestKey)
    await done(check)
    await done(other.check)
  })

  it('what was read is confirmed, and what the present key sealed is not sealed anew: nothing is changed', async (ports) => {
    const { countSealed, other } = ports
    const token = exampleToken('one')
    await registerExamples(ports, 'a')
    await issueToken(ports, token)
    const values = await done(countSealed)
    for (const dryRun of [false, true])
      assert.equal(await sealedInSteps(ports, dryRun), { values, sealed: 0, unreadable: 0 })
    for (const { registry } of [ports, other]) {
      assert.equal(await listed(registry), [exampleClient('a')])
      await done(registry.confirmReads)
    }
    assert.equal(await done(other.initialAccessTokens.findInitialAccessToken(token.hash)), O.some(token))
  })
})

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
const token = exampleToken('one')
const owned = { ...exampleToken('owned'), owner: registrationOf(client) }
const session = exampleSession('one', ['client-1'])
const granted = exampleAuthorization(exampleClient('client-2'), 'granted')
const artefact = { ...exampleArtefact('grant', 'of-three'), client }
const consent = exampleConsent(client)
const revoked = exampleConsent(client, 'max')
const ring = exampleKeyRing()
/** A client that the service removed by itself, and keeps aside. */
const removed = openExample('removed')
/** The digest key, and one value of each kind beside the clients. */
const others = 9

/** More than one step of clients. */
const many = numbers(1_100).map((nth) => `client-${nth}`)

const addClients = async ({ registry }: Store, ids: ReadonlyArray<string>): Promise<void> => {
  await Promise.all(ids.map((id) => done(registry.addClient(addition(exampleClient(id))))))
}

const keepAside = async ({ clientUses }: Store): Promise<void> => {
  await done(clientUses.parkUnused(exampleParking(exampleTime), 1))
  const tombstone = { id: exampleHash('tombstone'), until: exampleTime }
  assert.ok(await done(clientUses.removeParked(removed, exampleRemoval(exampleTime), tombstone, exampleTime, noRow)))
}

const fill = async (store: Store): Promise<void> => {
  await addClients(store, many)
  await issueToken(store, token)
  await done(beginSession(store, session))
  await done(store.authorizations.recordAuthorization(granted, exampleTime))
  await storeArtefact(store, artefact)
  for (const each of [consent, revoked]) await done(giveConsent(store, each))
  await done(revokeExample(store, revoked))
  await issueToken(store, owned)
  await done(replaceRings(store.keyRings)([{ next: ring, replacing: O.none }]))
  await register(store, removed)
  await keepAside(store)
}

const byId = (clients: ReadonlyArray<{ readonly client_id: string }>): ReadonlyArray<unknown> =>
  [...clients].sort((one, other) => (one.client_id < other.client_id ? -1 : 1))

const assertWhole = async (store: Store): Promise<void> => {
  assert.equal(byId(await listed(store.registry)), byId(many.map((id) => exampleClient(id))))
  assert.equal(await done(store.initialAccessTokens.findInitialAccessToken(token.hash)), O.some(token))
  assert.equal(await done(store.endUserSessions.findSession(exampleHash('cookie'))), O.some(session))
  assert.equal(await done(store.authorizations.findAuthorization(granted.kind, granted.hash)), O.some(granted))
  const found = await done(store.artefacts.findArtefact(artefact.kind, artefact.hash))
  assert.equal(found, O.some({ ...artefact, client: registrationOf(client) }))
  assert.equal(await done(store.consents.findConsent(consent.sub, consent.client)), O.some(consent))
  const ended = store.connections.searchConnections({ state: 'revoked' }, exampleTime, { after: 0, limit: 2 })
  assert.equal(
    (await done(ended)).connections.map(({ shown }) => shown),
    [revoked.shown],
  )
  assert.equal(await done(store.initialAccessTokens.findInitialAccessToken(owned.hash)), O.some(owned))
  assert.equal(await done(store.keyRings.readKeyRings), [ring])
  const restoring = { since: epochSeconds(0), at: exampleTime, tombstone: undefined }
  await done(store.clientUses.restoreRemoved(removed.client_id, restoring, noRow))
  const restored = O.some({ ...removed, waits_since: exampleTime })
  assert.equal(await done(store.registry.findClient(removed.client_id)), restored)
  await keepAside(store)
}

const openings = ({ open }: Reopened) => ({
  open,
  /** Opens the store for the time of the body. */
  using: async (encryption: Encryption, body: (store: Store) => Promise<void>): Promise<void> => {
    const store = await open(encryption)
    await body(store).finally(store.close)
  },
})

const isReplaced = (replaced: ReadonlyArray<string>) => (id: string) =>
  replaced.includes(id) ? updatedExample(exampleClient(id)) : exampleClient(id)

/** What happens during a change of the key: `restart` is a process that was killed between two steps. */
const events = ['register', 'replace', 'step', 'step', 'begin anew', 'restart'] as const
type History = { store: Store; after: string | undefined; ids: Array<string>; replaced: Array<string> }

const happen = async (history: History, event: (typeof events)[number], reopen: () => Promise<Store>) => {
  const { store, ids, replaced } = history
  if (event === 'register') {
    const id = `later-${ids.length}`
    await addClients(store, [id])
    ids.push(id)
  }
  const [id] = event === 'replace' ? ids.filter((each) => !replaced.includes(each)) : []
  if (id !== undefined) {
    await replaceClient(store, updatedExample(exampleClient(id)), exampleClient(id))
    replaced.push(id)
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
  const onNewStore = async (body: (opening: ReturnType<typeof openings>) => Promise<void>): Promise<void> => {
    const reopened = await newStore()
    await body(openings(reopened)).finally(reopened.discard)
  }
  const it = (title: string, body: (opening: ReturnType<typeof openings>) => Promise<void>): void =>
    test(title, () => onNewStore(body))

  const assertClients = async (store: Store, clients: ReadonlyArray<RegisteredClient>): Promise<void> =>
    assert.equal(byId(await listed(store.registry)), byId(clients))

  it('with both keys everything is read, and once all is sealed anew the earlier key may go', async ({
    open,
    using,
  }) => {
    const digestKeys: Array<string> = []
    await using(earlier, async (store) => {
      digestKeys.push(store.digestKey)
      await fill(store)
    })
    const refusal: unknown = await open(next).catch((error: unknown) => error)
    assert.is(refusal instanceof Error && refusal.message, 'wrong-encryption-key')
    await using(both, async (store) => {
      await assertWhole(store)
      const values = many.length + others + 1
      assert.is(await done(store.countSealed), values)
      // The opening seals the digest key with the first key.
      for (const [dryRun, sealed] of [
        [true, values - 1],
        [true, values - 1],
        [false, values - 1],
        [false, 0],
      ] as const)
        assert.equal(await sealedInSteps(store, dryRun), { values, sealed, unreadable: 0 })
      await assertWhole(store)
    })
    await using(next, async (store) => {
      assert.is(store.digestKey, digestKeys[0])
      await assertWhole(store)
    })
  })

  it('a step ends soon, and one that is not of this store is refused', async ({ using }) =>
    using(earlier, async (store) => {
      await fill(store)
      const sealAnew = store.sealAnew(operatorOfTheStore())
      const first = await done(sealAnew({ after: undefined, dryRun: true }))
      assert.ok(first.values < many.length)
      assert.type(first.next, 'string')
      for (const after of ['', '[]', '{}', 'null', '["clients"]', '["sqlite_schema","a"]', '["secrets",1]', '[1'])
        assert.is((await refused(sealAnew({ after, dryRun: true }))).error, 'invalid_request', after)
    }))

  it('a connection that no key opens is listed and found, live and once it is revoked, and hides no other', async ({
    using,
  }) => {
    const search = ({ connections }: Store, state: 'live' | 'revoked') =>
      done(connections.searchConnections({ state }, exampleTime, { after: 0, limit: 10 }))
    const openingNoConsent: Encryption = {
      ...earlier,
      open: (sealed, context) =>
        context.startsWith('consents') && context.includes(consent.sub)
          ? TE.right(O.none)
          : earlier.open(sealed, context),
    }
    await using(earlier, async (store) => {
      await addClients(store, [client.client_id])
      for (const each of [consent, revoked]) await done(giveConsent(store, each))
      await done(revokeExample(store, revoked))
    })
    await using(openingNoConsent, async (store) => {
      const [found] = (await search(store, 'live')).connections
      assert.equal([found?.sub, found?.scope], [consent.sub, []])
      assert.ok(await done(revokeExample(store, consent)))
      const ended = (await search(store, 'revoked')).connections
      assert.equal(
        ended.map(({ sub, scope }) => [sub, scope]),
        [
          [consent.sub, []],
          [revoked.sub, revoked.scope],
        ],
      )
      assert.equal(
        await done(store.connections.findConnection(found?.position ?? 0, exampleTime)),
        O.fromNullable(ended[0]),
      )
    })
  })

  it('a client that is replaced while its page is sealed stays replaced, and is not counted', async ({ using }) => {
    const ids = many.slice(0, 300)
    const replaced = ['client-7', 'client-250']
    const waiting = [...replaced]
    const interrupted: { store?: Store } = {}
    // Replaces a client at the next sealing, which is of a page that was read.
    const replacing: Encryption = {
      ...both,
      seal: (text, context) => async () => {
        const { store } = interrupted
        const id = store === undefined ? undefined : waiting.pop()
        if (id !== undefined)
          await store?.registry.replaceClient(replacement(updatedExample(exampleClient(id)), exampleClient(id)))()
        return both.seal(text, context)()
      },
    }
    await using(earlier, (store) => addClients(store, ids))
    await using(replacing, async (store) => {
      interrupted.store = store
      assert.is((await sealedInSteps(store)).sealed, ids.length - replaced.length)
    })
    await using(next, (store) => assertClients(store, ids.map(isReplaced(replaced))))
  })

  test('whatever happens between two steps, nothing is lost and the next key opens all', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...events), { maxLength: 12 }), (all) =>
        onNewStore(async ({ open, using }) => {
          const ids = many.slice(0, 30)
          await using(earlier, (store) => addClients(store, ids))
          const history: History = { store: await open(both), after: undefined, ids, replaced: [] }
          for (const event of all) await happen(history, event, () => open(both))
          await sealedInSteps(history.store)
          assert.is((await sealedInSteps(history.store, true)).sealed, 0)
          await history.store.close()
          await using(next, (store) => assertClients(store, ids.map(isReplaced(history.replaced))))
        }),
      ),
      { ...runParameters(), numRuns: Math.min(propertyRuns(), 10) },
    ))

  return tests
}
