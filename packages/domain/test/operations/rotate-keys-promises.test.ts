// Two instances with different policies and algorithms publish sets and sign, whichever has the lease.
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operatorOfTheStore } from '../../src/authorization/credential.js'
import { secondsAfter } from '../../src/kernel/time.js'
import { type KeySettings, signingKey } from '../../src/keys/ring.js'
import { permitSigning } from '../../src/keys/signing.js'
import { manageKeys } from '../../src/operations/keys.js'
import { publishJwkSet } from '../../src/operations/roll-over.js'
import { keyPolicy, runParameters, exampleOrigin } from '@clientele/testing'
import { type KeyInstance, beginKeyInstance, looks, reads, stops } from '../support/key-instance.js'
import { type KeyService, keyService } from '../support/key-maker.js'
import { justRead } from '../support/just-read.js'

const Promises = suite('rotateKeys, what was promised')

const algorithms = ['ES256', 'EdDSA', 'RS256']
// One policy lets verifiers cache for longer than the other waits with a new key.
const brief = { maxAge: 10, publishAhead: 60, lifetime: 100, retention: 20 }
const patient = { maxAge: 600, publishAhead: 1_500, lifetime: 9_000, retention: 2_000 }
const settings: fc.Arbitrary<KeySettings> = fc.record({
  policy: fc.oneof(keyPolicy(), fc.constantFrom(brief, patient)),
  signingAlgorithms: fc.subarray(algorithms),
})

type Act =
  | { readonly kind: 'passes' }
  | { readonly kind: 'stops' }
  | { readonly kind: 'begins anew'; readonly settings: KeySettings }
  | { readonly kind: 'rolls over'; readonly alg: string | undefined }
type Step = { readonly who: 0 | 1; readonly seconds: number; readonly first: 0 | 1; readonly act: Act }

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: 'passes' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'stops' as const }) },
  { weight: 1, arbitrary: settings.map((given) => ({ kind: 'begins anew' as const, settings: given })) },
  {
    weight: 2,
    arbitrary: fc
      .option(fc.constantFrom(...algorithms), { nil: undefined })
      .map((alg) => ({ kind: 'rolls over' as const, alg })),
  },
)
const which = fc.constantFrom(0 as const, 1 as const)
const step: fc.Arbitrary<Step> = fc.record({
  who: which,
  first: which,
  seconds: fc.oneof(fc.nat(10), fc.nat(60), fc.nat(200), fc.nat(1_500)),
  act,
})

type Token = { readonly kid: string; readonly exp: number }
type Verifier = { kids: ReadonlyArray<string>; until: number; readonly asks: 0 | 1; readonly from: number }
type World = {
  readonly service: KeyService
  readonly instances: [KeyInstance, KeyInstance]
  tokens: ReadonlyArray<Token>
  readonly verifiers: ReadonlyArray<Verifier>
}

/**
 * Signatures of the instance with the maximum lifetime of its own policy and of the ring's promise, where permitted.
 */
const signedBy = ({ settings: { policy }, state }: KeyInstance): ReadonlyArray<Token> =>
  state.published.flatMap((ring) =>
    [policy.retention, ring.promised.retention].flatMap((retention) => {
      const exp = secondsAfter(state.readAt, retention)
      const key = permitSigning(policy, justRead(state.readAt))(ring, { kid: signingKey(ring).kid, expiresAt: exp })
      return E.isRight(key) ? [{ kid: key.right.kid, exp }] : []
    }),
  )

/** A verifier caches the set for its max-age, and fetches the next one from either instance. */
const fetched = ({ service, instances }: World, verifier: Verifier): void => {
  const { at } = service.clock
  if (verifier.until > at || verifier.from > at) return
  const { settings: given, state } = instances[verifier.asks]
  const published = publishJwkSet(given.policy)(state.published, state.foreign)(justRead(state.readAt))
  if (E.isLeft(published)) throw new Error('the rings were just read')
  const { jwkSet, maxAge } = published.right
  verifier.kids = jwkSet.keys.map(({ kid }) => kid)
  verifier.until = at + maxAge
}

const used = (world: World): void => {
  const { at } = world.service.clock
  world.tokens = [...world.tokens, ...world.instances.flatMap(signedBy)].filter(({ exp }) => exp > at)
  for (const verifier of world.verifiers) {
    fetched(world, verifier)
    if (verifier.from <= at)
      for (const { kid } of world.tokens) assert.ok(verifier.kids.includes(kid), `the signature of ${kid} is verified`)
  }
}

// Both have read the stored keys when they sign and publish: delays of reading are not tested here.
const looked = async ({ instances }: World, first: 0 | 1): Promise<void> => {
  await looks(instances[first])
  await looks(instances[1 - first] ?? instances[0])
  await reads(instances[first])
}

const happens = async (world: World, { who, act: one }: Step): Promise<void> => {
  const instance = world.instances[who]
  if (one.kind === 'stops') await stops(instance)
  if (one.kind === 'begins anew') {
    await stops(instance)
    world.instances[who] = beginKeyInstance(world.service, one.settings, instance.holder)
  }
  if (one.kind === 'rolls over') {
    const keys = manageKeys(instance.settings, instance.ports)(operatorOfTheStore(), { origin: exampleOrigin })
    await keys.rollOver({ ...(one.alg === undefined ? {} : { alg: one.alg }), dryRun: false })()
  }
}

const verifierOf = (asks: 0 | 1, from: number): Verifier => ({ kids: [], until: 0, asks, from })

Promises('whoever keeps to the max-age of any instance verifies every signature of any instance', () =>
  fc.assert(
    fc.asyncProperty(settings, settings, fc.array(step, { maxLength: 25 }), async (one, other, steps) => {
      const service = keyService()
      const start = service.clock.at
      const world: World = {
        service,
        instances: [beginKeyInstance(service, one, 'one'), beginKeyInstance(service, other, 'other')],
        tokens: [],
        verifiers: [verifierOf(0, start), verifierOf(1, start), verifierOf(0, start + 97), verifierOf(1, start + 911)],
      }
      for (const each of steps) {
        await looked(world, each.first)
        used(world)
        await happens(world, each)
        await looked(world, each.first)
        used(world)
        service.clock.at = secondsAfter(service.clock.at, each.seconds)
      }
    }),
    runParameters(),
  ),
)

Promises.run()
