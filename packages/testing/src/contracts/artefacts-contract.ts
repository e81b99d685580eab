import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import {
  alreadyConsumed,
  artefactKinds,
  epochSeconds,
  maxForgotten,
  secondsAfter,
  unknownClient,
  unknownGrant,
  unknownSession,
  type Artefact,
} from '@clientele/domain'
import * as assert from 'uvu/assert'
import { artefact } from '../arbitraries/artefact.js'
import { exampleArtefact, exampleClient, exampleHash, exampleSession, exampleTime } from '../examples/examples.js'
import { propertyRuns } from '../property-runs.js'
import { collect, type Contract, onNewStore, race } from './contract.js'
import { done, type OpenStore, refused } from './open-store.js'
import { type ArtefactStore, client, code, found, grant, numbers, prepare, session, store } from './stored-artefacts.js'

/** The promises of Artefacts, apart from its ends and the use of refresh tokens. */
export const artefactsContract = (name: string, open: OpenStore<ArtefactStore>): Contract => {
  const { test, tests } = collect(`Artefacts ${name}`)
  const it = onNewStore(test, open, prepare)

  it('an artefact is found as it was stored, every member of it, by the other handle too', async (ports) => {
    const seen = new Set<string>([`grant ${grant.hash}`])
    const endsWith = { client, grant: grant.hash, session: session.sid }
    const { client_id, registration_id } = client
    const arbitrary = artefact({ ...endsWith, client: { client_id, registration_id } })
    const roundTrip = fc.asyncProperty(arbitrary, async (each) => {
      if (seen.has(`${each.kind} ${each.hash}`)) return
      seen.add(`${each.kind} ${each.hash}`)
      // At the time 0 nothing has expired.
      await store(ports, each, epochSeconds(0))
      assert.equal(await found(ports, each), each)
      assert.equal(await found(ports.other, each), each)
    })
    await fc.assert(roundTrip, { numRuns: propertyRuns() })
  })

  it('it is found under its kind and hash alone', async (ports) => {
    await store(ports, code)
    for (const kind of artefactKinds)
      assert.equal(await found(ports, { ...code, kind }), kind === code.kind ? code : undefined)
    assert.is(await found(ports, { ...code, hash: exampleHash('Code') }), undefined)
  })

  it('it is found by its name under its kind, and of several the one that expires last', async (ports) => {
    const { artefacts } = ports
    const name = exampleHash('name')
    const byName = (kind = grant.kind, of = name) => done(artefacts.findArtefactByName(kind, of))
    const named = { ...exampleArtefact('session', 'one'), name }
    const longer = { ...exampleArtefact('session', 'another'), name, expires_at: secondsAfter(named.expires_at, 1) }
    assert.equal(await byName('session'), O.none)
    for (const each of [named, longer, { ...exampleArtefact('session', 'third'), name: exampleHash('Name') }])
      await store(ports, each)
    assert.equal(await byName('session'), O.some(longer))
    assert.equal(await byName('interaction'), O.none)
    await done(artefacts.removeArtefact('session', longer.hash))
    assert.equal(await byName('session'), O.some(named))
    await store(ports, { ...exampleArtefact('session', 'one') })
    assert.equal(await byName('session'), O.none)
  })

  it('one of the same kind and hash replaces it, and its use is kept', async (ports) => {
    await store(ports, { ...code, sub: session.sub, grant: grant.hash, session: session.sid, client })
    await done(ports.artefacts.consumeArtefact(code.kind, code.hash, secondsAfter(exampleTime, 1)))
    const next = { ...code, payload: { another: true }, expires_at: secondsAfter(code.expires_at, 1) }
    await store(ports.other, next)
    assert.equal(await found(ports, code), { ...next, consumed_at: secondsAfter(exampleTime, 1) })
    const again = ports.artefacts.consumeArtefact(code.kind, code.hash, secondsAfter(exampleTime, 2))
    assert.equal(await refused(again), alreadyConsumed)
  })

  it('of 20 that consume one artefact at once, by two handles, exactly one succeeds', async (ports) => {
    await store(ports, code)
    const outcomes = await race(ports, numbers, ({ artefacts }) =>
      artefacts.consumeArtefact(code.kind, code.hash, exampleTime),
    )
    assert.is(outcomes.filter(E.isRight).length, 1)
    for (const outcome of outcomes) if (E.isLeft(outcome)) assert.equal(outcome.left, alreadyConsumed)
    assert.equal(await found(ports, code), { ...code, consumed_at: exampleTime })
  })

  it('one that is not stored is not consumed, and one that has expired once', async ({ artefacts }) => {
    const { kind, hash, expires_at } = code
    assert.equal(await refused(artefacts.consumeArtefact(kind, hash, exampleTime)), alreadyConsumed)
    await done(artefacts.storeArtefact(code, exampleTime))
    assert.equal(await refused(artefacts.consumeArtefact('replay', hash, exampleTime)), alreadyConsumed)
    await done(artefacts.consumeArtefact(kind, hash, expires_at))
    assert.equal(await refused(artefacts.consumeArtefact(kind, hash, expires_at)), alreadyConsumed)
  })

  it('what it ends with must not have ended; a refusal replaces nothing', async (ports) => {
    await store(ports, code)
    const refusing = async (each: Partial<Artefact>, refusal: unknown): Promise<void> =>
      assert.equal(
        await refused(ports.artefacts.storeArtefact({ ...code, payload: {}, ...each }, exampleTime)),
        refusal,
      )
    await refusing({ client: exampleClient('stranger') }, unknownClient)
    await refusing({ client: exampleClient('a', 'second') }, unknownClient)
    await refusing({ client: exampleClient('stranger'), session: exampleSession('never').sid }, unknownClient)
    await refusing({ session: exampleSession('never').sid }, unknownSession)
    await refusing({ session: exampleSession('SID "1"\\').sid, grant: exampleHash('never') }, unknownSession)
    await refusing({ grant: exampleHash('never') }, unknownGrant)
    await refusing({ grant: code.hash }, unknownGrant)
    assert.equal(await found(ports, code), code)
  })

  it('it is removed alone, and a second time without effect', async (ports) => {
    const other = { ...code, kind: 'replay' as const }
    for (const each of [code, other]) await store(ports, each)
    await done(ports.artefacts.removeArtefact(code.kind, code.hash))
    await done(ports.artefacts.removeArtefact(code.kind, code.hash))
    assert.is(await found(ports, code), undefined)
    assert.equal(await found(ports, other), other)
  })

  it('it is found after its expiry; expired ones are removed by and by, no others, and no grant of one that is in force', async (ports) => {
    const later = secondsAfter(exampleTime, 7200)
    const ofGrant = {
      ...exampleArtefact('access_token', 'of-grant'),
      grant: grant.hash,
      expires_at: secondsAfter(later, 1),
    }
    const expired = Array.from({ length: maxForgotten.artefacts * 2 }, (_, nth) =>
      exampleArtefact('replay', `nth-${nth}`),
    )
    for (const each of [ofGrant, ...expired]) await store(ports, each)
    assert.equal(await found(ports, expired[0] ?? code), expired[0])
    const remaining = async (): Promise<number> =>
      (await Promise.all(expired.map((each) => found(ports, each)))).filter((each) => each !== undefined).length
    await store(ports, { ...code, expires_at: secondsAfter(later, 1) }, later)
    assert.ok((await remaining()) >= maxForgotten.artefacts)
    for (const nth of [1, 2, 3, 4])
      await store(ports, { ...code, payload: { nth }, expires_at: secondsAfter(later, 1) }, later)
    assert.is(await remaining(), 0)
    assert.equal(await found(ports, ofGrant), ofGrant)
    assert.equal(await found(ports, grant), grant)
  })

  return tests
}
