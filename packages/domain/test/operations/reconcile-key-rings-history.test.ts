// Any history of two instances over one store, in which an instance may crash at any call of a port.
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type EpochSeconds, secondsAfter } from '../../src/kernel/time.js'
import { publishedKeys } from '../../src/keys/published.js'
import {
  type KeyPolicy,
  type KeyRing,
  type KeySettings,
  keysOf,
  knownKids,
  ringNames,
  signingKey,
} from '../../src/keys/ring.js'
import { permitSigning } from '../../src/keys/signing.js'
import { areReconciled } from '../../src/keys/roll-over.js'
import { revokeKey } from '../../src/operations/keys.js'
import { rollOverKeys, unauditedKeys } from '../../src/operations/roll-over.js'
import { done, keyPolicy, runParameters } from '@clientele/testing'
import { type Crash, type KeyService, beginning, instance, keyService, publishedRings } from '../support/key-maker.js'
import { justRead, maxAgeAt } from '../support/just-read.js'

const Reconcile = suite('reconcileKeyRings, in every history')

type Step =
  | { readonly kind: 'time passes'; readonly seconds: number }
  | { readonly kind: 'settings'; readonly algorithms: ReadonlyArray<string>; readonly policy: KeyPolicy | undefined }
  | { readonly kind: 'rolls over'; readonly alg: string | undefined }
  | { readonly kind: 'compromises'; readonly index: number }
type Act = Step & {
  readonly crash: Crash | undefined
  readonly other: boolean
  readonly pauses: readonly [number, number]
}

const algorithms = ['ES256', 'EdDSA', 'RS256']
const seconds = fc.oneof(fc.nat(30), fc.nat(1_500), fc.nat(9_000))

const passing = seconds.map((some): Step => ({ kind: 'time passes', seconds: some }))
const rolling = fc
  .option(fc.constantFrom(...algorithms), { nil: undefined })
  .map((alg): Step => ({ kind: 'rolls over', alg }))
const compromising = fc.nat(20).map((index): Step => ({ kind: 'compromises', index }))
const settingsWith = (policy: fc.Arbitrary<KeyPolicy | undefined>): fc.Arbitrary<Step> =>
  fc.record({ kind: fc.constant('settings'), algorithms: fc.subarray(algorithms), policy })

const harmlessStep = fc.oneof(passing, passing, rolling, settingsWith(fc.constant(undefined)))
const step = fc.oneof(passing, passing, rolling, compromising, settingsWith(keyPolicy()))

const crash = fc.option(fc.record({ after: fc.nat(8), isDone: fc.boolean() }), { nil: undefined, freq: 2 })
const act = (what: fc.Arbitrary<Step>): fc.Arbitrary<Act> =>
  fc
    .tuple(what, fc.record({ crash, other: fc.boolean(), pauses: fc.tuple(fc.nat(3), fc.nat(3)) }))
    .map(([one, circumstances]) => ({ ...one, ...circumstances }))

const operation = (
  settings: KeySettings,
  ports: KeyService['ports'],
  what: Act,
  rings: ReadonlyArray<KeyRing>,
): TE.TaskEither<unknown, unknown> => {
  const known = rings.flatMap(keysOf).map(({ key }) => key.kid)
  if (what.kind === 'rolls over') return rollOverKeys(settings, { ...unauditedKeys, ...ports })(what.alg)
  return what.kind === 'compromises'
    ? revokeKey({ ...unauditedKeys, ...ports })(known[what.index % known.length] ?? '')
    : TE.right(undefined)
}

/** Checks the invariants of the store after every action, complete or interrupted. */
const soundly = (
  service: KeyService,
  before: ReadonlyArray<KeyRing>,
  rings: ReadonlyArray<KeyRing>,
  policy: KeyPolicy,
) => {
  const at = service.clock.at
  for (const ring of rings.filter(({ use }) => use === 'sig')) {
    const isOpen = ring.closedAt === undefined && (ring.opensAt ?? at) <= at
    const signing = keysOf(ring).filter(({ key }) =>
      E.isRight(permitSigning(policy, justRead(at))(ring, { kid: key.kid, expiresAt: at })),
    )
    assert.is(signing.length, isOpen ? 1 : 0, 'exactly one key signs')
  }
  const kids = rings.flatMap(knownKids)
  assert.is(new Set(kids).size, kids.length, 'no kid stands twice, in any ring')
  for (const ring of before) {
    const next = rings.find(({ alg, use }) => alg === ring.alg && use === ring.use)
    assert.ok(
      ring.forgotten.every((kid) => next?.forgotten.includes(kid)),
      'what is gone stays gone',
    )
    assert.ok(
      knownKids(ring).every((kid) => next !== undefined && knownKids(next).includes(kid)),
      'no name is lost',
    )
  }
}

const versionsRise = ({ writes }: KeyService): void => {
  const last = new Map<string, number>()
  for (const { alg, use, version } of writes.flat()) {
    assert.is(version, (last.get(`${alg} ${use}`) ?? 0) + 1)
    last.set(`${alg} ${use}`, version)
  }
}

type Watch = (rings: ReadonlyArray<KeyRing>, service: KeyService, settings: KeySettings) => void

const lived = async (begun: KeySettings, acts: ReadonlyArray<Act>, watch: Watch = () => undefined) => {
  const service = keyService()
  let settings = begun
  for (const each of acts) {
    const before = await service.stored()
    if (each.kind === 'time passes') service.clock.at = secondsAfter(service.clock.at, each.seconds)
    if (each.kind === 'settings')
      settings = { policy: each.policy ?? settings.policy, signingAlgorithms: each.algorithms }
    const [pause, otherPause] = each.pauses
    const ports = instance(service.ports, pause, each.crash)
    const reconcile = publishedRings(settings, { ...unauditedKeys, ...ports })
    const own = pipe(
      operation(settings, ports, each, before),
      TE.matchE(
        () => reconcile,
        () => reconcile,
      ),
    )
    const others = publishedRings(settings, { ...unauditedKeys, ...instance(service.ports, otherPause, undefined) })
    const [answer] = await Promise.all([own(), each.other ? others() : undefined])
    soundly(service, before, await service.stored(), settings.policy)
    if (E.isRight(answer)) watch(answer.right, service, settings)
  }
  return { service, settings }
}

const first: KeySettings = {
  policy: { lifetime: 1_000, publishAhead: 100, retention: 50, maxAge: 40 },
  signingAlgorithms: ['ES256', 'EdDSA'],
}

/** The time at which all published rings sign. */
const whenAllSign = (rings: ReadonlyArray<KeyRing>, now: EpochSeconds): EpochSeconds =>
  rings.reduce((at, { opensAt }) => (opensAt !== undefined && opensAt > at ? opensAt : at), now)

Reconcile('one key signs in each open ring, no kid comes again, and each version follows the one before', () =>
  fc.assert(
    fc.asyncProperty(fc.array(act(step), { maxLength: 20 }), async (acts) => {
      const { service, settings } = await lived(first, acts)
      const reconcile = publishedRings(settings, { ...unauditedKeys, ...service.ports })
      service.clock.at = whenAllSign(await done(reconcile), service.clock.at)
      const rings = await done(reconcile)
      const writes = service.writes.length
      assert.equal(await done(reconcile), rings, 'what is kept stays as it is')
      assert.ok(areReconciled(settings, service.clock.at, await service.stored()))
      assert.is(service.writes.length, writes)
      versionsRise(service)
      const inUse = rings.filter(({ closedAt }) => closedAt === undefined).map(({ alg, use }) => ({ alg, use }))
      assert.equal(inUse, ringNames(settings), 'every ring that there must be is in use, whatever broke off before')
    }),
    runParameters(),
  ),
)

type Token = { readonly kid: string; readonly exp: number }

/** A verifier that caches the set for its max-age, and sees all signatures. */
const verifier = (): Watch => {
  let tokens: ReadonlyArray<Token> = []
  let kids: ReadonlyArray<string> = []
  let until: number = 0
  return (rings, { clock: { at } }, { policy }) => {
    const exp = secondsAfter(at, policy.retention)
    const signed = rings.flatMap((ring) => {
      const key = permitSigning(policy, justRead(at))(ring, { kid: signingKey(ring).kid, expiresAt: exp })
      return E.isRight(key) ? [{ kid: key.right.kid, exp }] : []
    })
    if (until <= at) {
      kids = publishedKeys(rings).keys.map(({ kid }) => kid)
      until = at + maxAgeAt(policy, rings, at)
    }
    tokens = [...tokens, ...signed].filter((token) => token.exp > at)
    for (const { kid } of tokens) assert.ok(kids.includes(kid), `the signature of ${kid} is verified`)
  }
}

Reconcile(
  'under one policy, whoever keeps to the max-age verifies every signature, although algorithms come and go',
  () =>
    fc.assert(
      fc.asyncProperty(keyPolicy(), fc.array(act(harmlessStep), { maxLength: 20 }), async (policy, acts) => {
        const early = verifier()
        const late = verifier()
        await lived({ ...first, policy }, acts, (rings, service, settings) => {
          early(rings, service, settings)
          if (service.clock.at > beginning + 97) late(rings, service, settings)
        })
      }),
      runParameters(),
    ),
)

Reconcile.run()
