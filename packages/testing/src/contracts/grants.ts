// What a client was granted: authorizations, and the artefacts of the authorization server. What ends with what is in
// belongings.ts.
import type { TokenHash } from '@clientele/domain/authorization'
import { secondsAfter, unknownClient, unknownSession } from '@clientele/domain/kernel'
import { type ClientAuthorization, type StoragePorts, maxForgotten, unknownGrant } from '@clientele/domain/ports'
import {
  type Artefact,
  type RefreshTokenUse,
  type StoredArtefact,
  alreadyConsumed,
  artefactKinds,
} from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import {
  exampleArtefact,
  exampleAuthorization,
  exampleClient,
  exampleHash,
  exampleSession,
  exampleTime,
  useOf,
  noRow,
  endOf,
} from '../examples.js'
import { contract, contracts, done, numbers, race, refused } from './contract.js'
import { beginSession, registerExamples, storeArtefact } from './steps.js'

const client = exampleClient('a')
const session = exampleSession('sid "1"\\')
const grant = exampleArtefact('grant', 'grant')

/** A client, a session and a grant, which artefacts end with. */
const prepare = async (ports: StoragePorts): Promise<void> => {
  await registerExamples(ports, 'a', 'b')
  await done(beginSession(ports, session))
  await storeArtefact(ports, grant)
}

const authorizations = contract(
  'Authorizations',
  (it) => {
    const recorded = exampleAuthorization(client, 'one')
    const record = (ports: StoragePorts, changes: Partial<ClientAuthorization> = {}) =>
      ports.authorizations.recordAuthorization({ ...recorded, ...changes }, exampleTime)
    const found = async (ports: StoragePorts, kind: ClientAuthorization['kind'] = recorded.kind) =>
      O.toUndefined(await done(ports.authorizations.findAuthorization(kind, recorded.hash)))

    it('it is found and revoked under its kind and hash alone, and what is recorded again replaces it', async (ports) => {
      const stored = { ...recorded, kind: 'access_token' as const }
      await done(record(ports))
      assert.is(await found(ports, 'access_token'), undefined)
      await done(ports.authorizations.revokeAuthorization('sticky_grant', recorded.hash))
      await done(record(ports.other, stored))
      for (const each of [{ session: session.sid }, { session: 'none', offline: true }, { details: {} }]) {
        await done(record(ports, each))
        assert.equal(await found(ports.other), { ...recorded, ...each })
      }
      await done(record(ports, { offline: false }))
      assert.equal(await found(ports), recorded)
      await done(ports.other.authorizations.revokeAuthorization(recorded.kind, recorded.hash))
      assert.equal([await found(ports), await found(ports, 'access_token')], [undefined, stored])
    })

    it('what a session granted that is not held is refused and replaces nothing, unless it is for offline access', async (ports) => {
      const ended = exampleSession('ended')
      await done(beginSession(ports, ended, 'cookie-ended'))
      await done(ports.sessionTermination.endSession(endOf(ended), noRow))
      await done(record(ports))
      const stranger = exampleClient('stranger')
      const stray = { client_id: stranger.client_id, registration_id: stranger.registration_id, session: 'never' }
      assert.equal(await refused(record(ports, stray)), unknownClient)
      for (const sid of ['ended', 'never', 'SID "1"\\', ''])
        for (const each of [{ session: sid }, { session: sid, offline: false }])
          assert.equal(await refused(record(ports, each)), unknownSession)
      assert.equal(await found(ports.other), recorded)
    })

    it('a sign-in that is refused forgets nothing of what was granted', async (ports) => {
      const longer = { ...exampleSession('longer'), idle_lifetime: 601 }
      await done(beginSession(ports, longer, 'longer'))
      await done(record(ports, { session: session.sid }))
      const taken = beginSession(ports, longer, 'new', secondsAfter(exampleTime, 600))
      assert.is((await refused(taken)).error, 'unavailable')
      assert.equal(await found(ports), { ...recorded, session: session.sid })
    })

    it('the end of a session revokes what it granted for offline access only where this is requested', async (ports) => {
      const offline = { session: session.sid, offline: true }
      await done(record(ports, offline))
      const next = exampleSession('next')
      const later = secondsAfter(exampleTime, 600)
      await done(beginSession(ports, next, 'next', later))
      assert.equal(await found(ports.other), { ...recorded, ...offline })
      await done(record(ports, { session: next.sid, offline: true }))
      await done(ports.sessionTermination.endSession(endOf(next, { revokesOfflineAccess: true }), noRow))
      assert.is(await found(ports.other), undefined)
    })
  },
  prepare,
)

const found = async (
  { artefacts: port }: StoragePorts,
  { kind, hash }: Artefact,
): Promise<StoredArtefact | undefined> => O.toUndefined(await done(port.findArtefact(kind, hash)))

const code = exampleArtefact('authorization_code', 'code')

const artefacts = contract(
  'Artefacts',
  (it) => {
    it('it is found and removed under its kind and hash alone', async (ports) => {
      const others = artefactKinds.filter((kind) => kind !== code.kind).map((kind) => ({ ...code, kind }))
      await storeArtefact(ports, code)
      for (const each of others) assert.is(await found(ports, each), undefined)
      for (const each of others) await storeArtefact(ports.other, each)
      await done(ports.artefacts.removeArtefact(code.kind, code.hash))
      assert.is(await found(ports.other, code), undefined)
      for (const each of others) assert.equal(await found(ports, each), each)
    })

    it('it is found by its name under its kind, and of several the one that expires last', async (ports) => {
      const name = exampleHash('name')
      const byName = async (kind: Artefact['kind'] = 'session') =>
        O.toUndefined(await done(ports.other.artefacts.findArtefactByName(kind, name)))
      const named = { ...exampleArtefact('session', 'one'), name }
      const longer = { ...exampleArtefact('session', 'another'), name, expires_at: secondsAfter(named.expires_at, 1) }
      assert.is(await byName(), undefined)
      for (const each of [named, longer, { ...exampleArtefact('session', 'third'), name: exampleHash('Name') }])
        await storeArtefact(ports, each)
      assert.equal([await byName(), await byName('interaction')], [longer, undefined])
      await done(ports.artefacts.removeArtefact('session', longer.hash))
      assert.equal(await byName(), named)
      await storeArtefact(ports, exampleArtefact('session', 'one'))
      assert.is(await byName(), undefined)
    })

    it('it is consumed once, also after its expiry; one that replaces it has its use', async (ports) => {
      const { hash, expires_at } = code
      const consume = (each: 'authorization_code' | 'replay' = 'authorization_code') =>
        ports.artefacts.useArtefact({ kind: each, hash, at: expires_at })
      assert.equal(await refused(consume()), alreadyConsumed)
      await storeArtefact(ports, { ...code, sub: session.sub, grant: grant.hash, session: session.sid, client })
      assert.equal(await refused(consume('replay')), alreadyConsumed)
      await done(consume())
      const next = { ...code, payload: { another: true }, expires_at: secondsAfter(expires_at, 1) }
      await storeArtefact(ports.other, next)
      assert.equal(await found(ports, code), { ...next, consumed_at: expires_at })
      assert.equal(await refused(consume()), alreadyConsumed)
    })

    it('of what it ends with and has ended, the client is told first, then the session; a refusal replaces nothing', async (ports) => {
      const never = { session: exampleSession('never').sid, grant: exampleHash('never') }
      await storeArtefact(ports, code)
      for (const [each, refusal] of [
        [{ client: exampleClient('stranger'), ...never }, unknownClient],
        [{ client: exampleClient('a', 'second') }, unknownClient],
        [{ client, ...never }, unknownSession],
        [{ session: exampleSession('SID "1"\\').sid }, unknownSession],
        [{ grant: never.grant }, unknownGrant],
        [{ grant: code.hash }, unknownGrant],
      ] as const) {
        const refusing = ports.artefacts.storeArtefact({ ...code, payload: {}, ...each }, exampleTime)
        assert.equal(await refused(refusing), refusal)
      }
      assert.equal(await found(ports.other, code), code)
    })

    it('what is issued for a code is stored with its use, or neither', async (ports) => {
      const used = secondsAfter(exampleTime, 1)
      const issue = (text: string, others: Partial<Artefact> = {}) =>
        ports.artefacts.storeArtefact({ ...exampleArtefact('access_token', text), ...others }, used, useOf(code, used))
      assert.equal(await refused(issue('early')), alreadyConsumed)
      await storeArtefact(ports, code)
      assert.equal(await refused(issue('stray', { client: exampleClient('stranger') })), unknownClient)
      assert.equal(await refused(issue('stray', { grant: exampleHash('never') })), unknownGrant)
      assert.equal(await found(ports.other, code), code)
      await done(issue('first'))
      assert.equal(await found(ports.other, code), { ...code, consumed_at: used })
      assert.equal(await refused(issue('second')), alreadyConsumed)
      const stored = ['early', 'stray', 'first', 'second'].map((text) =>
        found(ports, exampleArtefact('access_token', text)),
      )
      assert.equal(
        (await Promise.all(stored)).map((each) => each?.hash),
        [undefined, undefined, exampleHash('first'), undefined],
      )
    })

    it('one that is used as it is stored is new once', async (ports) => {
      const mark = exampleArtefact('replay', 'mark')
      const keep = () => ports.artefacts.storeArtefact(mark, exampleTime, useOf(mark))
      await done(keep())
      assert.equal(await refused(keep()), alreadyConsumed)
      assert.equal(await found(ports.other, mark), { ...mark, consumed_at: exampleTime })
    })

    it('expired ones are removed by and by, no others, and no grant of one that is in force', async (ports) => {
      const later = secondsAfter(exampleTime, 7200)
      const ofGrant = {
        ...exampleArtefact('access_token', 'of-grant'),
        grant: grant.hash,
        expires_at: secondsAfter(later, 1),
      }
      const expired = numbers(maxForgotten.artefacts * 2).map((nth) => exampleArtefact('replay', `nth-${nth}`))
      for (const each of [ofGrant, ...expired]) await storeArtefact(ports, each)
      const remaining = async (): Promise<number> =>
        (await Promise.all(expired.map((each) => found(ports.other, each)))).filter((each) => each !== undefined).length
      await storeArtefact(ports, { ...code, expires_at: secondsAfter(later, 1) }, later)
      assert.ok((await remaining()) >= maxForgotten.artefacts)
      for (const nth of [1, 2, 3, 4])
        await storeArtefact(ports, { ...code, payload: { nth }, expires_at: secondsAfter(later, 1) }, later)
      assert.is(await remaining(), 0)
      for (const each of [ofGrant, grant]) assert.equal(await found(ports, each), each)
    })
  },
  prepare,
)

const token = (text: string, predecessor?: TokenHash): Artefact => ({
  ...exampleArtefact('refresh_token', text),
  ...(predecessor === undefined ? {} : { predecessor }),
})

const root = token('root')
const one = token('one', root.hash)
const another = token('another', root.hash)
const after = (seconds: number, grace = 60): RefreshTokenUse => ({ at: secondsAfter(exampleTime, seconds), grace })

const use = (ports: StoragePorts, artefact: Artefact, { at, grace }: RefreshTokenUse) =>
  ports.artefacts.useArtefact(useOf(artefact, at, grace))

const usesOf = async (ports: StoragePorts, { hash }: Artefact): Promise<unknown> => {
  const stored = O.toUndefined(await done(ports.artefacts.findArtefact('refresh_token', hash)))
  return { consumed_at: stored?.consumed_at, successor: stored?.successor }
}

const refreshTokens = contract(
  'The use of refresh tokens: decideRefreshTokenUse, in one step',
  (it) => {
    it('within the grace a token is used again, and the time of its first use is kept', async (ports) => {
      for (const seconds of [0, 1, 60]) await done(use(ports, root, after(seconds)))
      assert.equal(await usesOf(ports.other, root), { consumed_at: exampleTime, successor: undefined })
      assert.equal(await refused(use(ports, root, after(61))), alreadyConsumed)
    })

    it('of two successors that are used at once, by two handles, one is good, and the token is not any more', async (ports) => {
      await done(use(ports, root, after(0)))
      const tokens = numbers(20).map((nth) => (nth % 3 === 0 ? one : another))
      const outcomes = await race(ports, tokens, (handle, each) => use(handle, each, after(1)))
      const isGood = (each: Artefact): boolean =>
        outcomes.some((outcome, nth) => tokens[nth] === each && E.isRight(outcome))
      assert.is(isGood(one), !isGood(another))
      outcomes.forEach((outcome, nth) => assert.is(E.isRight(outcome), isGood(tokens[nth] ?? root)))
      assert.equal(await refused(use(ports, root, after(1))), alreadyConsumed)
      const { hash } = isGood(one) ? one : another
      assert.equal(await usesOf(ports, root), { consumed_at: exampleTime, successor: hash })
    })

    it('of a token and its successor that are used at once, by two handles, the token is refused once the successor was used', async (ports) => {
      await done(use(ports, root, after(0)))
      const tokens = numbers(20).map((nth) => (nth % 3 === 0 ? one : root))
      const outcomes = await race(ports, tokens, (handle, each) => use(handle, each, after(1)))
      outcomes.forEach((outcome, nth) => assert.ok(tokens[nth] === root || E.isRight(outcome)))
      assert.equal(await refused(use(ports, root, after(1))), alreadyConsumed)
      assert.equal(await usesOf(ports, root), { consumed_at: exampleTime, successor: one.hash })
    })

    it('an expired token is kept while a successor is in force, and a successor of a removed one is refused', async (ports) => {
      const later = secondsAfter(root.expires_at, 10)
      const successor = { ...token('late', root.hash), expires_at: secondsAfter(later, 60) }
      await done(use(ports, root, after(0)))
      await storeArtefact(ports, successor)
      for (const nth of [1, 2, 3])
        await storeArtefact(ports, { ...token(`other-${nth}`), expires_at: successor.expires_at }, later)
      assert.equal(await usesOf(ports, root), { consumed_at: exampleTime, successor: undefined })
      await done(use(ports, successor, { at: later, grace: 60 }))
      const orphan = { ...token('orphan', exampleHash('removed')), expires_at: successor.expires_at }
      await storeArtefact(ports, orphan, later)
      assert.equal(await refused(use(ports, orphan, { at: later, grace: 60 })), alreadyConsumed)
    })
  },
  async (ports) => {
    for (const each of [root, one, another]) await storeArtefact(ports, each)
  },
)

/** The promises of ClientAuthorizations and Artefacts. */
export const grantsContract = contracts(authorizations, artefacts, refreshTokens)
