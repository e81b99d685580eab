// Two parties use the refresh tokens of one grant: the client, whose answers may be lost, and a thief with a copy.
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { exampleHash, exampleTime, law } from '@clientele/testing'
import { secondsAfter } from '../../src/kernel/time.js'
import { decideRefreshTokenUse, type RefreshTokenUses } from '../../src/provider/artefacts.js'

type Hash = RefreshTokenUses['hash']
type Party = 'client' | 'thief'

const graceOf = 60

/** The tokens of a grant as a store has them; a refused use removes all of them. */
const createFamily = (grace: number) => {
  const root = exampleHash('token-0')
  const tokens = new Map<Hash, RefreshTokenUses>([[root, { hash: root }]])
  let made = 0
  let now = 0
  /** The successor that was issued, or undefined after a refusal. */
  const refresh = (hash: Hash): Hash | undefined => {
    const token = tokens.get(hash)
    const predecessor = token?.predecessor === undefined ? undefined : tokens.get(token.predecessor)
    const permitted =
      token === undefined
        ? undefined
        : decideRefreshTokenUse(token, predecessor, { at: secondsAfter(exampleTime, now), grace })
    if (token === undefined || permitted === undefined || E.isLeft(permitted)) {
      tokens.clear()
      return undefined
    }
    tokens.set(hash, { ...token, consumed_at: permitted.right.consumed_at })
    if (predecessor !== undefined)
      tokens.set(predecessor.hash, { ...predecessor, successor: permitted.right.successorOfPredecessor })
    made += 1
    const next = exampleHash(`token-${made}`)
    tokens.set(next, { hash: next, predecessor: hash })
    return next
  }
  return { root, refresh, wait: (seconds: number) => void (now += seconds), isAlive: () => tokens.size > 0 }
}

const issued = (hash: Hash | undefined): Hash => {
  if (hash === undefined) throw new Error('refused')
  return hash
}

type Step =
  | { readonly step: 'refresh'; readonly by: Party; readonly isAnswerLost: boolean }
  | { readonly step: 'copy' }
  | { readonly step: 'wait'; readonly seconds: number }

const refreshBy = (...parties: ReadonlyArray<Party>): fc.Arbitrary<Step> =>
  fc.record({
    step: fc.constant('refresh' as const),
    by: fc.constantFrom(...parties),
    isAnswerLost: fc.boolean(),
  })
const wait = fc.record({ step: fc.constant('wait' as const), seconds: fc.nat(3 * graceOf) })
const copy = fc.constant<Step>({ step: 'copy' })

const Parties = suite('two parties with the refresh tokens of one grant')
const it = law(Parties)

it(
  'a client alone that repeats a request with a lost answer within the grace is never signed out',
  [fc.array(fc.tuple(fc.array(fc.nat(graceOf / 4), { maxLength: 4 }), wait), { maxLength: 30 })],
  (turns) => {
    const family = createFamily(graceOf)
    let latest = family.root
    for (const [lost, { seconds }] of turns) {
      // Each answer but the last one is lost.
      for (const pause of lost) {
        assert.ok(family.refresh(latest) !== undefined)
        family.wait(pause)
      }
      latest = issued(family.refresh(latest))
      family.wait(seconds)
    }
    assert.ok(family.isAlive())
  },
)

it(
  'a client alone that never loses an answer is not signed out without grace either',
  [fc.array(wait, { maxLength: 30 })],
  (waits) => {
    const family = createFamily(0)
    let latest = family.root
    for (const { seconds } of waits) {
      latest = issued(family.refresh(latest))
      family.wait(seconds)
    }
  },
)

/** The token that a party has, and whether it was issued to this party after the thief had its copy. */
type Own = { readonly hash: Hash; readonly isOwn: boolean }

it(
  'when both parties use the family, it ends at the latest when one uses a token after a successor of the other was used',
  [fc.array(fc.oneof(refreshBy('client', 'thief'), wait, copy), { maxLength: 60 }), fc.constantFrom(0, 1, graceOf)],
  (steps, grace) => {
    const family = createFamily(grace)
    const latest: Record<Party, Own | undefined> = { client: { hash: family.root, isOwn: false }, thief: undefined }
    // Whether the party has used a token that was issued to itself after the thief had its copy.
    const hasUsedOwn: Record<Party, boolean> = { client: false, thief: false }
    for (const each of steps) {
      if (!family.isAlive()) return
      if (each.step === 'wait') family.wait(each.seconds)
      else if (each.step === 'copy') {
        if (latest.thief === undefined)
          latest.thief = latest.client === undefined ? undefined : { ...latest.client, isOwn: false }
        if (latest.client !== undefined && latest.thief?.hash === latest.client.hash)
          latest.client = { ...latest.client, isOwn: false }
      } else {
        const { by, isAnswerLost } = each
        const own = latest[by]
        if (own === undefined) continue
        const other: Party = by === 'client' ? 'thief' : 'client'
        const otherHasUsedOwn = latest.thief !== undefined && hasUsedOwn[other]
        const next = family.refresh(own.hash)
        if (otherHasUsedOwn) assert.is(next, undefined)
        if (next === undefined) return assert.not.ok(family.isAlive())
        if (latest.thief !== undefined && own.isOwn) hasUsedOwn[by] = true
        if (!isAnswerLost) latest[by] = { hash: next, isOwn: latest.thief !== undefined }
      }
    }
  },
)

it('without grace the family ends at the second use of a copied token', [fc.nat(graceOf)], (pause) => {
  const family = createFamily(0)
  family.refresh(family.root)
  family.wait(pause)
  assert.is(family.refresh(family.root), undefined)
  assert.not.ok(family.isAlive())
})

it('a copy is of use for the grace at most, if the client goes on', [fc.nat(graceOf)], (pause) => {
  const family = createFamily(graceOf)
  const next = issued(family.refresh(family.root))
  const stolen = issued(family.refresh(family.root))
  family.wait(pause)
  assert.ok(family.refresh(next) !== undefined)
  assert.is(family.refresh(stolen), undefined)
  assert.not.ok(family.isAlive())
})

Parties.run()
