// Several instances over one store, of which some are cut off from it for a time, and verifiers that keep sets for as long
// as they may.
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type EpochSeconds, secondsAfter } from '../../src/kernel/time.js'
import { type Unavailable, unavailable } from '../../src/kernel/refusals.js'
import { operatorOfTheStore } from '../../src/authorization/credential.js'
import { type KeyRing, type KeySettings, type LastRead, keysOf, presentTime, signingKey } from '../../src/keys/ring.js'
import { type KeyState, unreadKeys } from '../../src/keys/published.js'
import { permitSigning } from '../../src/keys/signing.js'
import type { KeyRingChange } from '../../src/ports/store.js'
import { type KeyManagement, manageKeys } from '../../src/operations/keys.js'
import { publishJwkSet, readKeyState, rotateKeys } from '../../src/operations/roll-over.js'
import { namedKey, exampleOrigin, noRow } from '@clientele/testing'
import { type KeyService, beginning, keyService } from './key-maker.js'

/** The rules that may be taken out. */
export type Rules = {
  /** What the max-age of a set takes the last read for. */
  readonly publishing: (read: LastRead) => LastRead
  /** What signing takes it for. */
  readonly signing: (read: LastRead) => LastRead
  readonly storing: (changes: ReadonlyArray<KeyRingChange>) => ReadonlyArray<KeyRingChange>
}

export type Instance = {
  readonly settings: KeySettings
  readonly name: string
  /** The seconds of its monotonic clock in a second. */
  readonly rate: number
  readonly ports: KeyService['ports']
  state: KeyState
  readBegan: number
  cutOffUntil: number
}

type Verifier = { kids: ReadonlySet<string>; until: number }

export type Figures = { signed: number; refused: number; verified: number; failed: number; unserved: number }

export type World = {
  readonly rules: Rules
  readonly service: KeyService
  readonly instances: ReadonlyArray<Instance>
  readonly verifiers: ReadonlyArray<Verifier>
  readonly draw: () => number
  readonly figures: Figures
  /** Seconds since the beginning. */
  now: number
  /** The host of the store that answers, by the seconds that its clock is ahead. */
  ahead: number
  /** By kid, the latest expiry of its signatures. */
  readonly tokens: Map<string, number>
  /** Verifiers know imported keys from their previous server. */
  readonly imported: Set<string>
  readonly revoked: Set<string>
  /** By kid of a successor of a revoked key, the time until which verifiers may lack it. */
  readonly early: Map<string, number>
  made: number
}

const maxWriteDelay = 1

const later = (world: World, max: number): void => {
  world.now += world.draw() * max
}

export const storeTime = ({ now, ahead }: World): EpochSeconds => secondsAfter(beginning, Math.floor(now + ahead))

export const isCutOff = ({ now }: World, { cutOffUntil }: Instance): boolean => now < cutOffUntil

const portsOf = ({ ports }: KeyService, world: () => World, nth: number): Instance['ports'] => {
  const reached =
    <Failure, Value>(operation: TE.TaskEither<Failure, Value>): TE.TaskEither<Failure | Unavailable, Value> =>
    async () => {
      const instance = world().instances[nth]
      return instance !== undefined && isCutOff(world(), instance) ? E.left(unavailable('cut off')) : operation()
    }
  const readStoreTime = TE.fromIO(() => storeTime(world()))
  return {
    ...ports,
    readStoreTime: reached(readStoreTime),
    readKeyRingVersions: reached(ports.readKeyRingVersions),
    acquireLease: (lease, at) => reached(ports.acquireLease(lease, at)),
    // Another instance may read between the time of a change and the change.
    replaceKeyRings: (changes, decidedAt) => async () => {
      const others = world().instances.filter((_, index) => index !== nth && world().draw() < 0.3)
      for (const other of others) await reads(world(), other)
      later(world(), maxWriteDelay)
      return reached(ports.replaceKeyRings(world().rules.storing(changes), decidedAt, noRow))()
    },
  }
}

export const beginWorld = (rules: Rules, settings: ReadonlyArray<KeySettings>, draw: () => number): World => {
  const service = keyService()
  const world: World = {
    rules,
    service,
    draw,
    instances: settings.map((given, nth) => ({
      settings: given,
      name: `instance ${nth}`,
      rate: 1 + (nth - 1) * 50e-6,
      ports: portsOf(service, () => world, nth),
      state: unreadKeys,
      readBegan: 0,
      cutOffUntil: 0,
    })),
    verifiers: Array.from({ length: 12 }, () => ({ kids: new Set<string>(), until: 0 })),
    figures: { signed: 0, refused: 0, verified: 0, failed: 0, unserved: 0 },
    now: 0,
    ahead: 0,
    tokens: new Map(),
    imported: new Set(),
    revoked: new Set(),
    early: new Map(),
    made: 0,
  }
  return world
}

const reads = async (world: World, instance: Instance): Promise<boolean> => {
  const began = world.now
  const state = await readKeyState(instance.settings, instance.ports)(instance.state)()
  if (E.isLeft(state)) return false
  instance.state = state.right
  instance.readBegan = began
  return true
}

/** The work of the schedule every few seconds. */
export const looks = async (world: World, instance: Instance): Promise<void> => {
  if (!(await reads(world, instance))) return
  const state = await rotateKeys(instance.settings, instance.ports, instance.name)(instance.state)()
  if (E.isRight(state)) instance.state = state.right
}

const lastRead = ({ now }: World, { state, readBegan, rate }: Instance): LastRead => ({
  at: state.readAt,
  age: Math.ceil((now - readBegan) * rate),
})

/** Signs with each ring for as long as it may. */
export const signs = (world: World, instance: Instance): void => {
  const { policy } = instance.settings
  const read = world.rules.signing(lastRead(world, instance))
  for (const ring of instance.state.published.filter(({ use }) => use === 'sig')) {
    const { kid } = signingKey(ring)
    const exp = secondsAfter(presentTime(read), Math.min(policy.retention, ring.promised.retention))
    const isSigned = E.isRight(permitSigning(policy, read)(ring, { kid, expiresAt: exp }))
    world.figures[isSigned ? 'signed' : 'refused'] += 1
    if (isSigned) world.tokens.set(kid, Math.max(world.tokens.get(kid) ?? 0, exp))
  }
}

/** Takes the set of the first instance that answers, beginning with any. */
const fetches = (world: World, verifier: Verifier): boolean => {
  // A service listens when it has keys.
  const listening = world.instances.filter(({ state }) => state.published.length > 0)
  const first = Math.floor(world.draw() * listening.length)
  for (const instance of [...listening.slice(first), ...listening.slice(0, first)]) {
    const publish = publishJwkSet(instance.settings.policy)(instance.state.published, instance.state.foreign)
    const answer = publish(world.rules.publishing(lastRead(world, instance)))
    if (E.isRight(answer)) {
      verifier.kids = new Set(answer.right.jwkSet.keys.map(({ kid }) => kid))
      verifier.until = world.now + answer.right.maxAge
      return true
    }
    world.figures.unserved += 1
  }
  return false
}

const isExempt = ({ imported, revoked, early, now }: World, kid: string): boolean =>
  imported.has(kid) || revoked.has(kid) || now < (early.get(kid) ?? 0)

/** Verifies all signatures in force. */
export const verifies = (world: World, verifier: Verifier): void => {
  const hasSet = world.now < verifier.until || fetches(world, verifier)
  for (const [kid, exp] of world.tokens) {
    if (exp <= beginning + world.now) world.tokens.delete(kid)
    else if (hasSet && !isExempt(world, kid)) {
      world.figures.verified += 1
      if (!verifier.kids.has(kid)) world.figures.failed += 1
    }
  }
}

const managed = ({ settings, ports }: Instance): KeyManagement =>
  manageKeys(settings, ports)(operatorOfTheStore(), { origin: exampleOrigin })

const oneOf = <Item>({ draw }: World, items: ReadonlyArray<Item>): Item | undefined =>
  items[Math.floor(draw() * items.length)]

const imports = async (world: World, instance: Instance, { alg }: KeyRing): Promise<void> => {
  const keys = [0, 1].map(() => namedKey(`imported-${(world.made += 1)}`))
  for (const { kid } of keys) world.imported.add(kid)
  await managed(instance).importKeys({ keys: [{ alg, keys }], dryRun: false })()
}

const revokes = async (world: World, instance: Instance, ring: KeyRing): Promise<void> => {
  const kid = oneOf(world, keysOf(ring))?.key.kid ?? ''
  const outcome = await managed(instance).revoke({ kid, dryRun: false })()
  if (E.isLeft(outcome)) return
  world.revoked.add(kid)
  if (outcome.right.phase !== 'signing') return
  const next = (await world.service.stored()).find(({ forgotten }) => forgotten.includes(kid))
  const ahead = Math.max(...world.instances.map(({ settings }) => settings.policy.publishAhead))
  if (next !== undefined) world.early.set(signingKey(next).kid, world.now + ahead)
}

/** An operator acts at the instance: each kind of operation, on any ring. */
export const operates = async (world: World, instance: Instance): Promise<void> => {
  const ring = oneOf(world, instance.state.published)
  const kind = world.draw()
  if (ring === undefined) return
  if (kind < 0.6) await managed(instance).rollOver({ alg: ring.alg, dryRun: false })()
  else if (kind < 0.8) await imports(world, instance, ring)
  else await revokes(world, instance, ring)
}
