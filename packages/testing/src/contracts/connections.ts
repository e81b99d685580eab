// The connections of end-users: what a consent begins, what a token is a use of, and what a revocation ends.
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { type EpochSeconds, secondsAfter } from '@clientele/domain/kernel'
import { useTime } from '@clientele/domain/life-cycle'
import { type StoragePorts, consentChanged, unknownGrant } from '@clientele/domain/ports'
import {
  type Artefact,
  type ArtefactKind,
  type Connection,
  type ConnectionFilter,
  type Consent,
  connectionStates,
  matchesConnection,
} from '@clientele/domain/provider'
import {
  connectionsOf,
  exampleArtefact,
  exampleClient,
  exampleConsent,
  exampleTime,
  useOf,
  noRow,
  revokeExample,
  giveConsent,
} from '../examples.js'
import { runParameters } from '../property-runs.js'
import { contract, contracts, done, inPages, numbers, race, refused } from './contract.js'
import { register, registerAnew, storeArtefact } from './steps.js'

const day = 86_400
const a = exampleClient('a')
const b = exampleClient('b')
const given = exampleConsent(a)
const atOther = exampleConsent(b)
const ofAnn = exampleConsent(a, 'ann')
const later = (seconds: number): EpochSeconds => secondsAfter(exampleTime, seconds)

const prepare = async (ports: StoragePorts): Promise<void> => {
  await register(ports, a, b)
  for (const each of [given, atOther, ofAnn]) await done(giveConsent(ports, each))
}

const one = async (ports: StoragePorts, { sub, client }: Consent): Promise<Connection | undefined> =>
  (await done(connectionsOf(ports, sub))).find((each) => each.client.registration_id === client.registration_id)

const live = async (ports: StoragePorts, consent: Consent): Promise<Connection> => {
  const found = await one(ports, consent)
  if (found === undefined) throw new Error('the connection is not live')
  return found
}

const revokedOnes = async ({ connections }: StoragePorts): Promise<ReadonlyArray<Connection>> =>
  (await done(connections.searchConnections({ state: 'revoked' }, exampleTime, { after: 0, limit: 100 }))).connections

const part = (kind: ArtefactKind, text: string, { sub, client }: Consent): Artefact => ({
  ...exampleArtefact(kind, text),
  client,
  sub,
  expires_at: later(10 * day),
})

const isStored = async ({ artefacts }: StoragePorts, { kind, hash }: Artefact): Promise<boolean> =>
  O.isSome(await done(artefacts.findArtefact(kind, hash)))

const lives = contract(
  'Connections',
  (it) => {
    it('the first consent begins one, and a later one changes what is granted alone', async (ports) => {
      const begun = await live(ports.other, given)
      assert.equal(begun, {
        ...given,
        position: begun.position,
        since: exampleTime,
        last_use: undefined,
        access_tokens: 0,
        refresh_tokens: 0,
      })
      await storeArtefact(ports, part('access_token', 'one', given))
      const next = { ...given, scope: [...given.scope, 'email'], shown: {}, given_at: later(5) }
      await done(giveConsent(ports.other, next))
      assert.equal(await done(ports.consents.findConsent(given.sub, given.client)), O.some(next))
      assert.equal(await live(ports, given), { ...begun, ...next, last_use: useTime(exampleTime), access_tokens: 1 })
      const ofLater = exampleConsent(exampleClient('a', 'second'))
      assert.equal(await done(ports.consents.findConsent(given.sub, ofLater.client)), O.none)
    })

    it('what the application gets is a use on its day, of this connection alone, and the latest day counts', async (ports) => {
      const others = [await live(ports, atOther), await live(ports, ofAnn)]
      const used = async (kind: ArtefactKind, days: number): Promise<EpochSeconds | undefined> => {
        await storeArtefact(ports, part(kind, `${kind}-${days}`, given), later(days * day))
        return (await live(ports.other, given)).last_use
      }
      for (const kind of ['grant', 'interaction', 'session'] as const) assert.is(await used(kind, 0), undefined)
      assert.is(await used('authorization_code', 0), useTime(exampleTime))
      assert.is(await used('refresh_token', 2), useTime(later(2 * day)))
      assert.is(await used('access_token', 1), useTime(later(2 * day)))
      assert.equal([await live(ports, atOther), await live(ports, ofAnn)], others)
    })

    it('the tokens in force are counted: those that are neither used up nor over', async (ports) => {
      const tokens = [
        part('access_token', 'a', given),
        part('refresh_token', 'r', given),
        part('refresh_token', 's', given),
      ]
      for (const each of [...tokens, part('access_token', 'of-ann', ofAnn)]) await storeArtefact(ports, each)
      await done(ports.artefacts.useArtefact(useOf(part('refresh_token', 's', given))))
      const { access_tokens, refresh_tokens, position } = await live(ports.other, given)
      assert.equal([access_tokens, refresh_tokens], [1, 1])
      const over = O.toUndefined(await done(ports.connections.findConnection(position, later(10 * day))))
      assert.equal([over?.access_tokens, over?.refresh_tokens], [0, 0])
    })

    it('a consent replaces the one that was read alone: not another one, and not one that was revoked', async (ports) => {
      const record = (handle: StoragePorts, consent: Consent, earlier: O.Option<Consent>) =>
        refused(handle.consents.recordConsent(consent, earlier))
      const next = { ...given, scope: [...given.scope, 'read'], given_at: later(5) }
      assert.equal(await record(ports, next, O.none), consentChanged)
      for (const other of [
        { ...given, scope: ['openid'] },
        { ...given, given_at: later(1) },
        { ...given, shown: {} },
      ])
        assert.equal(await record(ports.other, next, O.some(other)), consentChanged)
      assert.is(await done(revokeExample(ports.other, given)), true)
      assert.equal(await record(ports, next, O.some(given)), consentChanged)
      assert.equal(await done(ports.consents.findConsent(given.sub, given.client)), O.none)
      assert.is((await revokedOnes(ports)).length, 1)
      await done(ports.consents.recordConsent(next, O.none))
      assert.equal(await done(ports.other.consents.findConsent(given.sub, given.client)), O.some(next))
    })

    it('a consent that gives less ends what was issued before, and no page that waits for an answer', async (ports) => {
      const kinds = ['grant', 'authorization_code', 'access_token', 'refresh_token', 'interaction'] as const
      const parts = kinds.map((kind) => part(kind, kind, given))
      const others = part('refresh_token', 'of-ann', ofAnn)
      for (const each of [...parts, others]) await storeArtefact(ports, each)
      const stored = async () => {
        const found = await Promise.all(
          [...parts, others].map(({ kind, hash }) => done(ports.other.artefacts.findArtefact(kind, hash))),
        )
        return found.map(O.isSome)
      }
      const wider = { ...given, scope: [...given.scope, 'wider'], given_at: later(5) }
      await done(ports.consents.recordConsent(wider, O.some(given)))
      assert.equal(await stored(), [true, true, true, true, true, true])
      const less = { ...wider, scope: given.scope.slice(0, 1), given_at: later(6) }
      await done(ports.consents.recordConsent(less, O.some(wider)))
      assert.equal(await stored(), [false, false, false, false, true, true])
    })

    it('of consents at the same time, one replaces what all have read, and a revocation brings nothing back', async (ports) => {
      const nexts = numbers(10).map((nth) => ({ ...given, scope: [`nth-${nth}`], given_at: later(nth) }))
      const recorded = await race(ports, nexts, ({ consents }, next) => consents.recordConsent(next, O.some(given)))
      const [winner, ...more] = nexts.filter((_, nth) => E.isRight(recorded[nth] ?? E.left(undefined)))
      assert.equal(more, [])
      assert.equal(await done(ports.consents.findConsent(given.sub, given.client)), O.fromNullable(winner))
      for (const each of recorded) if (E.isLeft(each)) assert.equal(each.left, consentChanged)
      const extending = race(ports, numbers(10), ({ consents }, nth) =>
        consents.recordConsent({ ...ofAnn, scope: [...ofAnn.scope, `nth-${nth}`] }, O.some(ofAnn)),
      )
      const [, revoked] = await Promise.all([extending, revokeExample(ports.other, ofAnn)()])
      // The revocation names a connection, and not its consent: whatever was recorded before ends with it.
      assert.equal(revoked, E.right(true))
      assert.equal(await done(ports.consents.findConsent(ofAnn.sub, ofAnn.client)), O.none)
    })

    it('it ends with its registration, also where it was revoked', async (ports) => {
      const { position } = await live(ports, given)
      assert.is(await done(revokeExample(ports, ofAnn)), true)
      await registerAnew(ports, 'a')
      assert.equal([await one(ports.other, given), await revokedOnes(ports.other)], [undefined, []])
      assert.equal(await done(ports.connections.findConnection(position, exampleTime)), O.none)
      assert.ok(await one(ports, atOther))
    })
  },
  prepare,
)

const everyPart = (consent: Consent): ReadonlyArray<Artefact> => {
  const grant = part('grant', `grant-${consent.sub}-${consent.client.client_id}`, consent)
  const kinds = ['authorization_code', 'access_token', 'refresh_token', 'interaction'] as const
  return [grant, ...kinds.map((kind) => ({ ...part(kind, `of-${grant.hash}`, consent), grant: grant.hash }))]
}

const revocations = contract(
  'Revocations of connections',
  (it) => {
    it('all that it holds ends, and is not stored again; all of others is as it was', async (ports) => {
      const own = everyPart(given)
      const ofOthers = [...everyPart(atOther), ...everyPart(ofAnn), exampleArtefact('session', 'of-zoe')]
      for (const each of [...own, ...ofOthers]) await storeArtefact(ports, each)
      const others = [await live(ports, atOther), await live(ports, ofAnn)]
      const before = await live(ports, given)
      assert.is(await done(revokeExample(ports.other, given, noRow, later(7))), true)
      for (const handle of [ports, ports.other]) {
        assert.equal(await done(handle.consents.findConsent(given.sub, given.client)), O.none)
        for (const each of own) assert.not.ok(await isStored(handle, each), each.kind)
        for (const each of ofOthers) assert.ok(await isStored(handle, each), each.kind)
        assert.equal([await live(handle, atOther), await live(handle, ofAnn)], others)
      }
      const revoked = { at: later(7), by: { kind: 'master', fingerprint: 'abc' } as const }
      const kept = { ...before, access_tokens: 0, refresh_tokens: 0, revoked }
      assert.equal(await revokedOnes(ports), [kept])
      assert.equal(await done(ports.connections.findConnection(before.position, exampleTime)), O.some(kept))
      for (const each of own.slice(1))
        assert.equal(await refused(ports.artefacts.storeArtefact(each, exampleTime)), unknownGrant)
    })

    it('also what is written at the same time, by two handles', async (ports) => {
      const [grant] = everyPart(given)
      if (grant === undefined) throw new Error('there is one')
      await storeArtefact(ports, grant)
      const tokens = numbers(20).map((nth) => ({ ...part('access_token', `nth-${nth}`, given), grant: grant.hash }))
      const storing = race(ports, tokens, (handle, each) => handle.artefacts.storeArtefact(each, exampleTime))
      const [, revoked] = await Promise.all([storing, done(revokeExample(ports.other, given))])
      assert.is(revoked, true)
      for (const each of tokens) assert.not.ok(await isStored(ports, each))
    })

    it('one that was revoked, and a later one of the same, stays as it is', async (ports) => {
      const connection = await live(ports, given)
      const revoke = (handle: StoragePorts) =>
        handle.connections.revokeConnection({
          connection,
          revoked: { at: later(9), by: { kind: 'end_user', fingerprint: 'z' } },
          audit: noRow,
        })
      assert.is(await done(revoke(ports)), true)
      assert.is(await done(revoke(ports.other)), false)
      const again = { ...given, given_at: later(20) }
      await done(giveConsent(ports, again))
      const next = await live(ports.other, given)
      assert.ok(next.position > connection.position)
      assert.equal([next.since, next.last_use, next.revoked], [later(20), undefined, undefined])
      assert.equal(await revokedOnes(ports), [])
      assert.is(await done(revoke(ports)), false)
      assert.equal(await live(ports, given), next)
      assert.equal(await done(ports.connections.findConnection(connection.position, exampleTime)), O.none)
      assert.is(await done(ports.connections.lastConnection), next.position)
    })

    it('revoked ones are forgotten by the time of their end, the earliest first', async (ports) => {
      for (const [nth, each] of [given, atOther, ofAnn].entries())
        await done(revokeExample(ports, each, noRow, later(10 - nth)))
      const forget = (until: number, max: number) => done(ports.connections.forgetConnections(later(until), max))
      const left = async () => (await revokedOnes(ports.other)).map(({ revoked }) => revoked?.at)
      assert.equal([await forget(7, 10), await left()], [0, [later(10), later(9), later(8)]])
      assert.equal([await forget(9, 1), await left()], [1, [later(10), later(9)]])
      assert.equal([await forget(10, 10), await left()], [2, []])
    })
  },
  prepare,
)

const users = ['zoe', 'ann', 'max', 'eve', 'bob']
const scopes = ['openid', 'email', 'read', 'offline_access']

/** Connections of every shape: with and without uses, and revoked ones among them. */
const fill = async (ports: StoragePorts): Promise<void> => {
  await register(ports, exampleClient('c'))
  let nth = 0
  for (const client of [a, b, exampleClient('c')])
    for (const user of users) {
      nth += 1
      const consent = {
        ...exampleConsent(client, user),
        scope: scopes.filter((_, place) => (nth >> place) % 2 === 1),
        resources: nth % 3 === 0 ? { 'https://api.example/': ['write'] } : {},
        given_at: later(nth * 100),
      }
      await done(giveConsent(ports, consent))
      if (nth % 4 !== 0) await storeArtefact(ports, part('access_token', `use-${nth}`, consent), later((nth % 5) * day))
      if (nth % 5 === 0) await done(revokeExample(ports, consent, noRow, later(nth * 100 + 1)))
    }
}

const filter: fc.Arbitrary<ConnectionFilter> = fc.record(
  {
    client_id: fc.constantFrom(a.client_id, b.client_id, exampleClient('none').client_id),
    sub: fc.constantFrom(given.sub, ofAnn.sub, exampleConsent(a, 'nobody').sub),
    scope: fc.constantFrom(...scopes, 'write'),
    resource: fc.constantFrom('https://api.example/', '__proto__'),
    used_since: fc.nat(6).map((days) => later(days * day)),
    idle_since: fc.nat(6).map((days) => later(days * day)),
    state: fc.constantFrom(...connectionStates),
  },
  { requiredKeys: [], noNullPrototype: true },
)

const allPages = ({ connections }: StoragePorts, wanted: ConnectionFilter, limit: number) =>
  inPages(
    limit,
    (after) => connections.searchConnections(wanted, exampleTime, { after, limit }),
    (page) => page.connections,
  )

const searches = contract(
  'Searches of connections',
  (it) => {
    it('the pages of any filter are the connections that it matches, in the order in which they began', async (ports) => {
      await fill(ports)
      const all = [...(await allPages(ports, {}, 500)), ...(await allPages(ports, { state: 'revoked' }, 500))]
      assert.is(all.length, 15)
      const ordered = [...all].sort((one, other) => one.position - other.position)
      const check = fc.asyncProperty(filter, fc.integer({ min: 1, max: 8 }), async (wanted, limit) => {
        assert.equal(await allPages(ports.other, wanted, limit), ordered.filter(matchesConnection(wanted)))
      })
      await fc.assert(check, runParameters())
    })

    it('a page ends at until', async (ports) => {
      const last = await done(ports.connections.lastConnection)
      await done(giveConsent(ports, exampleConsent(b, 'later')))
      const range = { after: 0, until: last, limit: 10 }
      const { connections } = await done(ports.other.connections.searchConnections({}, exampleTime, range))
      assert.equal(
        connections.map(({ sub }) => sub),
        [given.sub, atOther.sub, ofAnn.sub],
      )
    })
  },
  prepare,
)

/** The promises of Consents and Connections. */
export const connectionsContract = contracts(lives, revocations, searches)
