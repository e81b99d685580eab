// The promises of ClientRegistry, beside those of all tables: adding, finding, listing, replacing and removing clients,
// within limits.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import * as assert from 'uvu/assert'
import type { TokenHash } from '@clientele/domain/authorization'
import { type EpochSeconds, clientIdTaken, registryFull, secondsAfter, unknownClient } from '@clientele/domain/kernel'
import { withClient } from '@clientele/domain/logout'
import {
  type RegistryLimits,
  type StoragePorts,
  clientChanged,
  initialAccessTokenConsumed,
  maxForgotten,
  noLimits,
  registeredBefore,
  requestedBefore,
} from '@clientele/domain/ports'
import type { RegisteredClient } from '@clientele/domain/registration'
import { contract, contracts, done, listed, numbers, race, refused } from './contract.js'
import { addClient, register, removeClient, beginSession, issueToken, replaceClient } from './steps.js'
import {
  exampleAuthorization,
  exampleClient,
  exampleHash,
  exampleId,
  exampleOperatorToken,
  exampleSession,
  exampleSessionClient,
  exampleTime,
  exampleToken,
  importOf,
  noRow,
  removal,
  replacement,
  updatedExample,
  endOf,
  openExample,
} from '../examples.js'

const atMost = (clients: number): RegistryLimits => ({ ...noLimits, clients })
const unusedAtMost = (unusedOpenClients: number): RegistryLimits => ({ ...noLimits, unusedOpenClients })
const hashOf = ({ registration_access_token }: RegisteredClient): TokenHash => registration_access_token.hash

const isIssued = async ({ initialAccessTokens }: StoragePorts, text: string): Promise<boolean> =>
  O.isSome(await done(initialAccessTokens.findInitialAccessToken(exampleHash(text))))
const keyed = async ({ registry }: StoragePorts, key: string) =>
  O.toUndefined(await done(registry.findKeyedRegistration(exampleHash(key))))?.client_id

const a = exampleClient('a')
const b = exampleClient('b')

const adding = contract('Adding a client', (it) => {
  it('refusals come in their order, store nothing, and consume no token', async (ports) => {
    await issueToken(ports, exampleToken('spent'))
    await issueToken(ports, exampleToken('good'))
    await done(addClient(ports, openExample('taken'), { token: 'spent' }))
    await removeClient(ports, 'taken')
    await done(addClient(ports, openExample('taken'), { print: 'print', key: 'key' }))
    const taken = { ...openExample('taken'), ...exampleClient('taken', 'second'), registered_by: 'nobody' as const }
    const full = atMost(1)
    for (const [client, addition, refusal] of [
      [taken, { key: 'key', token: 'spent', limits: full }, requestedBefore],
      [taken, { key: 'free', token: 'spent', limits: full }, initialAccessTokenConsumed],
      [taken, { key: 'free', token: 'never', limits: full }, initialAccessTokenConsumed],
      [taken, { key: 'free', token: 'good', limits: full }, clientIdTaken],
      [taken, { print: 'print', limits: full }, clientIdTaken],
      [openExample('b'), { print: 'print', limits: full }, registeredBefore],
      [openExample('b'), { print: 'print', limits: unusedAtMost(1) }, registeredBefore],
      [openExample('b'), { key: 'free', token: 'good', limits: full }, registryFull],
      [openExample('b'), { key: 'free', print: 'other', limits: unusedAtMost(1) }, registryFull],
    ] as const)
      assert.equal(await refused(addClient(ports, client, addition)), refusal)
    assert.equal([await isIssued(ports.other, 'spent'), await isIssued(ports.other, 'good')], [false, true])
    assert.equal([await keyed(ports, 'key'), await keyed(ports, 'free')], ['taken', undefined])
    assert.equal(await listed(ports.other.registry), [openExample('taken')])
    await done(addClient(ports, openExample('b'), { key: 'free', token: 'good', limits: atMost(2) }))
  })

  it('a task that is not run does nothing, and one that is run again is judged again', async (ports) => {
    const adds = addClient(ports, a)
    const find = ports.registry.findClient(a.client_id)
    assert.equal(await done(find), O.none)
    await done(adds)
    assert.equal(await refused(adds), clientIdTaken)
    assert.equal(await done(find), O.some(a))
  })

  it('a key gives way to another client in the second of its end; then the earlier client is found by none', async (ports) => {
    const later = (seconds: number) => ({ ...b, client_id_issued_at: secondsAfter(exampleTime, seconds) })
    await done(addClient(ports, a, { key: 'key' }))
    assert.equal(await refused(addClient(ports.other, later(99), { key: 'key' })), requestedBefore)
    await done(addClient(ports.other, later(100), { key: 'key' }))
    assert.is(await keyed(ports, 'key'), 'b')
    assert.is((await listed(ports.registry)).length, 2)
  })

  it('a key stays when its client is replaced; expired ones are removed by later ones, a bounded number at once', async (ports) => {
    const old = numbers(maxForgotten.keyedRegistrations + 5).map((nth) => `old-${nth}`)
    for (const id of old) await done(addClient(ports, exampleClient(id), { key: id }))
    await replaceClient(ports, updatedExample(exampleClient('old-0')), exampleClient('old-0'))
    const left = async (): Promise<number> =>
      (await Promise.all(old.map((id) => keyed(ports.other, id)))).filter((each) => each !== undefined).length
    assert.is(await left(), old.length)
    for (const [id, expected] of [
      ['new', 5],
      ['newer', 0],
    ] as const) {
      await done(
        addClient(ports, { ...exampleClient(id), client_id_issued_at: secondsAfter(exampleTime, 100) }, { key: id }),
      )
      assert.is(await left(), expected)
    }
  })
})

const limiting = contract('Limits of clients', (it) => {
  it('a client beyond the limit is refused, also the first one, and a client that is removed makes room', async (ports) => {
    assert.equal(await refused(addClient(ports, a, { limits: atMost(0) })), registryFull)
    assert.equal(await refused(addClient(ports, openExample('a'), { limits: unusedAtMost(0) })), registryFull)
    await done(addClient(ports, a, { limits: atMost(1) }))
    assert.equal(await refused(addClient(ports.other, b, { limits: atMost(1) })), registryFull)
    await removeClient(ports, 'a')
    await done(addClient(ports, b, { limits: atMost(1) }))
  })

  it('only open clients that were never used fill the limit of those; an update and a revocation change nothing', async (ports) => {
    const { authorizations } = ports
    const limits = unusedAtMost(1)
    const first = openExample('first')
    await done(addClient(ports, exampleClient('by-token'), { limits }))
    await done(addClient(ports, first, { limits }))
    await replaceClient(ports, { ...updatedExample(first), registered_by: 'nobody' }, first)
    assert.equal(await refused(addClient(ports.other, openExample('second'), { limits })), registryFull)
    await done(addClient(ports, exampleClient('another'), { limits }))
    const granted = exampleAuthorization(first, 'refresh')
    await done(authorizations.recordAuthorization(granted, exampleTime))
    await done(authorizations.revokeAuthorization(granted.kind, granted.hash))
    await done(addClient(ports, openExample('second'), { limits }))
    assert.equal(await refused(addClient(ports, openExample('third'), { limits })), registryFull)
    await removeClient(ports, 'first')
    await removeClient(ports, 'second')
    await done(addClient(ports, first, { limits }))
    assert.equal(await refused(addClient(ports, openExample('second'), { limits })), registryFull)
  })

  it('a client that takes part in a session is used, whether the session is added or replaced with it', async (ports) => {
    const { sessionTermination, other } = ports
    const limits = unusedAtMost(2)
    for (const id of ['first', 'second']) await done(addClient(ports, openExample(id), { limits }))
    const session = exampleSession('one', ['first'])
    await done(beginSession(ports, session))
    await done(addClient(ports, openExample('third'), { limits }))
    assert.equal(await refused(addClient(other, openExample('fourth'), { limits })), registryFull)
    const joined = withClient(exampleSessionClient('second'), exampleTime)(session)
    await done(other.endUserSessions.replaceSession(replacement(joined, session)))
    await done(addClient(ports, openExample('fourth'), { limits }))
    await done(sessionTermination.endSession(endOf(joined), noRow))
    assert.equal(await refused(addClient(ports, openExample('fifth'), { limits })), registryFull)
  })

  it('imported clients count', async (ports) => {
    const imported = [openExample('open'), a, b].map((client) => importOf(client))
    await done(ports.registry.importClients(imported))
    for (const limits of [atMost(3), unusedAtMost(1)])
      assert.equal(await refused(addClient(ports, openExample('next'), { limits })), registryFull)
    await done(addClient(ports, openExample('next'), { limits: { clients: 4, unusedOpenClients: 2 } }))
  })
})

const finding = contract('Finding clients', (it) => {
  it('clients are found together, each once and in the order of the ids; those that are not registered are left out', async (ports) => {
    const found = (...ids: ReadonlyArray<string>) => done(ports.other.registry.findClients(ids.map(exampleId)))
    const clients = (...ids: ReadonlyArray<string>) => ids.map((id) => E.right(exampleClient(id)))
    assert.equal([await found(), await found('a', 'b')], [[], []])
    await register(ports, a, b, exampleClient('c'))
    assert.equal(await found('c', 'never', 'a', 'c', 'A'), clients('c', 'a'))
    await removeClient(ports, 'a')
    assert.equal(await found(...numbers(1_000).map((nth) => `never-${nth}`), 'c', 'a', 'b'), clients('c', 'b'))
  })

  it('a client is found by its own token alone, which is known as one for as long as it opens the client', async (ports) => {
    const next = updatedExample(a)
    await register(ports, a, b)
    const find = ({ client_id }: RegisteredClient, token: RegisteredClient) =>
      done(ports.other.registry.findClientByToken(client_id, hashOf(token)))
    const isKnown = (token: RegisteredClient) => done(ports.other.registry.isRegistrationAccessToken(hashOf(token)))
    assert.equal([await find(a, a), await find(a, b), await find(exampleClient('A'), a)], [O.some(a), O.none, O.none])
    assert.equal([await isKnown(a), await isKnown(next)], [true, false])
    await replaceClient(ports, next, a)
    assert.equal([await find(a, a), await find(a, next)], [O.none, O.some(next)])
    assert.equal([await isKnown(a), await isKnown(next)], [false, true])
    await removeClient(ports, 'a')
    assert.is(await isKnown(next), false)
  })

  it('clients are listed in the order of registration, which a replacement does not change', async (ports) => {
    assert.equal(await listed(ports.registry), [])
    const clients = numbers(450).map((nth) => exampleClient(`client-${450 - nth}`))
    await register(ports, ...clients)
    const replaced = clients.map((client, nth) => (nth % 100 === 7 ? updatedExample(client) : client))
    for (const [nth, next] of replaced.entries())
      if (nth % 100 === 7) await replaceClient(ports, next, clients[nth] ?? next)
    assert.equal(await listed(ports.other.registry), replaced)
  })

  it('a list reads when it is asked; meanwhile clients are added, replaced and removed, and it may be left early', async (ports) => {
    const { registry } = ports
    const stream = registry.streamClients()
    await register(ports, a, b)
    for await (const each of stream) {
      assert.equal(each, E.right(a))
      await register(ports, exampleClient('added'))
      await replaceClient(ports, updatedExample(a), a)
      await removeClient(ports, 'a')
      break
    }
    assert.equal(await listed(registry), [b, exampleClient('added')])
  })
})

const changing = contract('Replacing and removing a client', (it) => {
  const next = updatedExample(a)
  const again = exampleClient('a', 'second')
  const remove = ({ registry }: StoragePorts, token?: RegisteredClient, read?: RegisteredClient) =>
    registry.removeClient(removal(a.client_id, { token: token === undefined ? O.none : O.some(hashOf(token)), read }))

  it('a removal of the version that was read removes no other version, and no other registration', async (ports) => {
    await register(ports, a)
    await replaceClient(ports, next, a)
    for (const token of [undefined, next])
      for (const read of [a, { ...again, version: next.version }])
        assert.equal(await refused(remove(ports, token, read)), clientChanged)
    assert.equal(await refused(remove(ports, a, next)), unknownClient)
    assert.equal(await listed(ports.registry), [next])
    await done(remove(ports, next, next))
    assert.equal(await refused(remove(ports, undefined, next)), unknownClient)
  })

  it('of a removal and a replacement of the version that was read exactly one succeeds, by two handles', async (ports) => {
    for (let round = 0; round < 10; round += 1) {
      await register(ports, a)
      const outcomes = await Promise.all([
        remove(ports, undefined, a)(),
        ports.other.registry.replaceClient(replacement(next, a))(),
      ])
      assert.equal(
        outcomes.filter(E.isLeft).map(({ left }) => left),
        [clientChanged],
      )
      await ports.registry.removeClient(removal(a.client_id))()
    }
  })
})

const confirmed = updatedExample(a)
/** Updated, with the token before the update as the preceding one. */
const preceded: RegisteredClient = {
  ...confirmed,
  preceding_token: { hash: hashOf(a), until: secondsAfter(exampleTime, 3600) },
}
/** Another update by the preceding token. */
const again: RegisteredClient = { ...preceded, ...updatedExample(preceded, 'again'), version: preceded.version + 1 }

const preparePreceded = async (ports: StoragePorts): Promise<void> => {
  await register(ports, a)
  await replaceClient(ports, preceded, a)
}

const preceding = contract(
  'The token before the newest one',
  (it) => {
    const byToken = ({ registry }: StoragePorts, token: RegisteredClient) =>
      done(registry.findClientByToken(a.client_id, hashOf(token)))

    it('a client is found by both, and by no others', async (ports) => {
      await register(ports, b)
      for (const handle of [ports, ports.other])
        for (const token of [a, preceded]) {
          assert.equal(await byToken(handle, token), O.some(preceded))
          assert.is(await done(handle.registry.isRegistrationAccessToken(hashOf(token))), true)
        }
      assert.equal(await done(ports.registry.findClientByToken(b.client_id, hashOf(a))), O.none)
    })

    it('its end leaves the version, and what read the client before it changes nothing', async (ports) => {
      const { registry, other } = ports
      await replaceClient(ports, confirmed, preceded)
      for (const handle of [ports, other]) {
        assert.equal([await byToken(handle, a), await byToken(handle, preceded)], [O.none, O.some(confirmed)])
        assert.is(await done(handle.registry.isRegistrationAccessToken(hashOf(a))), false)
      }
      for (const late of [again, confirmed])
        assert.equal(await refused(other.registry.replaceClient(replacement(late, preceded))), clientChanged)
      assert.equal(await refused(other.registry.removeClient(removal(a.client_id, { read: preceded }))), clientChanged)
      const imported = { ...again, version: preceded.version + 1 }
      const importing = registry.importClients([importOf(imported, preceded)])
      assert.equal(await done(importing), [E.left(clientChanged)])
      assert.equal(await done(registry.findClient(a.client_id)), O.some(confirmed))
    })

    it('of its end and an update with it at once, by two handles, exactly one succeeds', async (ports) => {
      for (const round of numbers(10)) {
        const next = round % 2 === 0 ? [confirmed, again] : [again, confirmed]
        const outcomes = await race(ports, next, ({ registry }, each) =>
          registry.replaceClient(replacement(each, preceded)),
        )
        const [winner, ...others] = next.filter((_, nth) => outcomes[nth]?._tag === 'Right')
        assert.equal(others, [])
        assert.equal(await done(ports.registry.findClient(a.client_id)), O.fromNullable(winner))
        await removeClient(ports, 'a')
        await preparePreceded(ports)
      }
    })
  },
  preparePreceded,
)

type Expiring = { readonly expires_at: EpochSeconds }
type Issue = (ports: StoragePorts, text: string, lifetime: number) => TE.TaskEither<unknown, void>
type List = (ports: StoragePorts, after: number, most: number) => TE.TaskEither<unknown, ReadonlyArray<Expiring>>

const tokens = contract('Lists of tokens', (it) => {
  for (const [what, issueFor, list] of [
    [
      'initial access tokens',
      ({ initialAccessTokens }, text, lifetime) =>
        initialAccessTokens.addInitialAccessToken(
          { ...exampleToken(text), expires_at: secondsAfter(exampleTime, lifetime) },
          exampleTime,
          noRow,
        ),
      ({ initialAccessTokens }, after, most) =>
        initialAccessTokens.listInitialAccessTokens(secondsAfter(exampleTime, after), most),
    ],
    [
      'operator tokens',
      ({ operatorTokens }, text, lifetime) =>
        operatorTokens.addOperatorToken(exampleOperatorToken(text, lifetime), exampleTime, noRow),
      ({ operatorTokens }, after, most) => operatorTokens.listOperatorTokens(secondsAfter(exampleTime, after), most),
    ],
  ] as ReadonlyArray<readonly [string, Issue, List]>)
    it(`the ${what} in force are listed, the first to expire first, and so many at most`, async (ports) => {
      for (const lifetime of [30, 10, 20]) await done(issueFor(ports, `for-${lifetime}`, lifetime))
      const lifetimes = async (after: number, most: number): Promise<ReadonlyArray<number>> =>
        (await done(list(ports.other, after, most))).map(({ expires_at }) => expires_at - exampleTime)
      assert.equal(await lifetimes(9, 10), [10, 20, 30])
      assert.equal(await lifetimes(10, 10), [20, 30])
      assert.equal(await lifetimes(0, 2), [10, 20])
      assert.equal(await lifetimes(0, 0), [])
    })
})

/** The promises of ClientRegistry about single clients and their tokens, and of the tokens that register one. */
export const clientsContract = contracts(adding, limiting, finding, changing, preceding, tokens)
