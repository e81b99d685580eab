// Histories of clients in time: registered, imported, used, parked, suspended, removed, while those who see uses change. The
// model moves by events and counts days, as docs/operate/year.md#life-cycle-of-a-client does, while the domain compares times.
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { type TokenHash, operatorOfTheStore } from '@clientele/domain/authorization'
import { type EpochSeconds, epochSeconds, registryFull, secondsAfter, unknownClient } from '@clientele/domain/kernel'
import {
  type ClientState,
  type LifeCyclePolicy,
  defaultLifeCycle,
  stateOf,
  useTime,
  useUnit,
} from '@clientele/domain/life-cycle'
import { announceRemovals, restoreClient, sweepClients, unaudited } from '@clientele/domain/operations'
import { type StoragePorts, type Tombstone, noLimits, registeredBefore } from '@clientele/domain/ports'
import { type RegisteredClient, resumedClient, suspendedClient } from '@clientele/domain/registration'
import { type Contract, type OpenStore, collect, done } from '../contracts/contract.js'
import { addition, exampleClient, exampleHash, exampleTime, importOf, removal, replacement } from '../examples.js'
import { type Arbitraries, propertyRuns, runParameters } from '../property-runs.js'

type Ports = Pick<StoragePorts, 'registry' | 'clientUses' | 'connections'>

/**
 * Who sees uses: the authorization server of the service, a login system beside it that reports them, or nobody, because
 * the provider beside it only reads clients.
 */
type Seeing = 'engine' | 'reports' | 'nobody'

const maxUnusedOpen = 3
const prints = ['one', 'two', 'three', 'four']

/** A client, with the state that it has apart from a suspension. */
type Life = {
  readonly client: RegisteredClient
  print: string | undefined
  state: Exclude<ClientState, 'suspended'>
  usedOn: EpochSeconds | undefined
  suspended: boolean
  /** Whether the limit of unused open clients counts it: until it is used, or a sweep parks it. */
  counted: boolean
  /** Whether an operator brought or replaced it. */
  imported: boolean
  /** Since when uses of it could be seen, if somebody saw them. */
  since: EpochSeconds
  /** The latest parking, and its notice in days. */
  parked: { readonly at: EpochSeconds; readonly notice: number } | undefined
  /** The days on which it was used, whether somebody saw it or not. */
  readonly uses: Set<EpochSeconds>
  /** As it was stored at last. */
  stored: RegisteredClient
  /** When a sweep removed it; undefined where it is there, or another party removed it. */
  removedAt: EpochSeconds | undefined
}

type Model = {
  now: EpochSeconds
  seeing: Seeing
  policy: LifeCyclePolicy
  readonly observed: Set<EpochSeconds>
  readonly lives: Array<Life>
}

const origin = { door: 'command', request_id: 'history' } as const
const digestOf = (id: string): TokenHash => exampleHash(`gone-${id}`)

const tombstoneAt =
  (at: EpochSeconds) =>
  (id: string): Tombstone => ({ id: digestOf(id), until: secondsAfter(at, defaultLifeCycle.tombstoneLifetime) })

const countedOf = ({ lives }: Model): ReadonlyArray<Life> => lives.filter(({ counted }) => counted)

const born = (
  { now }: Model,
  client: RegisteredClient,
  { print, imported }: Pick<Life, 'print' | 'imported'>,
): Life => ({
  client,
  print,
  state: 'unused',
  usedOn: undefined,
  suspended: false,
  counted: client.registered_by === 'nobody',
  imported,
  since: now,
  parked: undefined,
  uses: new Set(),
  stored: client,
  removedAt: undefined,
})

const register = async (model: Model, { registry }: Ports, open: boolean, print: string): Promise<void> => {
  const client: RegisteredClient = {
    ...exampleClient(`client-${model.lives.length}`),
    registered_by: open ? 'nobody' : 'token',
    client_id_issued_at: model.now,
  }
  const limits = { ...noLimits, unusedOpenClients: maxUnusedOpen }
  const outcome = await registry.addClient(addition(client, { limits, fingerprint: exampleHash(print) }))()
  const counted = countedOf(model)
  if (open && counted.some((each) => each.print === print)) return assert.equal(outcome, E.left(registeredBefore))
  if (open && counted.length >= maxUnusedOpen) return assert.equal(outcome, E.left(registryFull))
  assert.ok(E.isRight(outcome), 'registered')
  model.lives.push(born(model, client, { print: open ? print : undefined, imported: false }))
}

const bringAnew = async (model: Model, { registry }: Ports, open: boolean, days: number): Promise<void> => {
  const client: RegisteredClient = {
    ...exampleClient(`client-${model.lives.length}`),
    registered_by: open ? 'nobody' : 'master',
    client_id_issued_at: secondsAfter(model.now, -days * useUnit),
    waits_since: model.now,
    provenance: { imported: true },
  }
  assert.equal(await done(registry.importClients([importOf(client)])), [E.right(undefined)])
  model.lives.push(born(model, client, { print: undefined, imported: true }))
}

const replaceByImport = async ({ now }: Model, { registry }: Ports, life: Life): Promise<void> => {
  const found = O.toUndefined(await done(registry.findClient(life.client.client_id)))
  if (found === undefined) return
  const provenance = { ...found.provenance, imported: true as const }
  const next = { ...found, version: found.version + 1, waits_since: now, provenance }
  assert.equal(await done(registry.importClients([importOf(next, found)])), [E.right(undefined)])
  Object.assign(life, { imported: true, since: now })
}

// A use that nobody sees is one all the same.
const use = async ({ now, seeing, observed }: Model, { clientUses }: Ports, life: Life): Promise<void> => {
  if (life.state !== 'gone') life.uses.add(useTime(now))
  if (seeing === 'nobody') return
  await done(clientUses.recordUse(life.client, now))
  if (life.state === 'gone') return
  life.state = 'active'
  life.counted = false
  if (life.usedOn === undefined || life.usedOn < useTime(now)) observed.add(useTime(now))
  life.usedOn = useTime(now)
}

const changeSuspension =
  (suspended: boolean) =>
  async ({ now }: Model, { registry }: Ports, life: Life): Promise<void> => {
    const found = await done(registry.findClient(life.client.client_id))
    if (O.isNone(found) || life.suspended === suspended) return
    const next = suspended ? suspendedClient(now)(found.value) : resumedClient(now)(found.value)
    await done(registry.replaceClient(replacement(next, found.value)))
    life.suspended = suspended
    if (!suspended) life.since = now
  }

const end = (life: Life): void => void Object.assign(life, { state: 'gone', suspended: false, counted: false })

const remove = async ({ now }: Model, { registry }: Ports, life: Life): Promise<void> => {
  const { client_id } = life.client
  const outcome = await registry.removeClient(removal(client_id, { tombstone: tombstoneAt(now)(client_id) }))()
  assert.is(E.isRight(outcome), life.state !== 'gone', 'removed')
  end(life)
}

/** What a sweep removed comes back whole for as long as the policy says, and nothing else does. */
const restore = async ({ now, policy }: Model, { registry, clientUses }: Ports, life: Life): Promise<void> => {
  const { client_id } = life.client
  const tombstone = tombstoneAt(now)
  const ports = {
    ...clientUses,
    confirmReads: registry.confirmReads,
    now: () => now,
    lifeCycle: policy,
    removes: true,
    tombstone,
  }
  const outcome = await restoreClient({ ...unaudited, ...ports })({
    operator: operatorOfTheStore(),
    clientId: client_id,
    origin,
  })()
  const isRestorable = life.removedAt !== undefined && life.removedAt > now - policy.restorableFor
  if (!isRestorable) return assert.equal(outcome, E.left(unknownClient), `${client_id} cannot be restored`)
  assert.equal(outcome, E.right({ client_id }))
  assert.equal(await done(registry.findClient(client_id)), O.some({ ...life.stored, waits_since: now }))
  Object.assign(life, { state: 'unused', counted: true, print: undefined, since: now, parked: undefined })
  life.removedAt = undefined
}

const idleIn = (model: Model, life: Life): void => {
  if (life.state === 'active' && model.now - (life.usedOn ?? model.now) >= defaultLifeCycle.idleAfter)
    life.state = 'idle'
}

const pass = (model: Model, days: number): void => {
  model.now = secondsAfter(model.now, days * useUnit)
  for (const life of model.lives) idleIn(model, life)
}

/** The whole days since the time on which a use would have been seen. */
const seenSince = ({ observed, now }: Model, since: EpochSeconds): number =>
  [...observed].filter((day) => day >= since && day < useTime(now)).length

const wholeDays = (seconds: number): number => Math.max(1, Math.ceil(seconds / useUnit))

const inSweep = (model: Model): { readonly parked: ReadonlyArray<Life>; readonly removed: ReadonlyArray<Life> } => {
  const { unusedOpenParkedAfter, unusedOpenRemovedAfter } = model.policy
  const untilParked = wholeDays(unusedOpenParkedAfter)
  const untilRemoved = wholeDays(unusedOpenRemovedAfter)
  const notice = wholeDays(unusedOpenRemovedAfter - unusedOpenParkedAfter)
  if (seenSince(model, epochSeconds(0)) < untilParked) return { parked: [], removed: [] }
  const own = model.lives.filter(({ suspended }) => !suspended)
  const isLonger = (life: Life): boolean => life.state === 'parked' && (life.parked?.notice ?? 0) > notice
  const parked = own.filter(
    (life) => (life.counted && seenSince(model, life.since) >= untilParked) || (!life.imported && isLonger(life)),
  )
  for (const life of parked) Object.assign(life, { state: 'parked', counted: false, parked: { at: model.now, notice } })
  const removed = own.filter(
    ({ state, imported, since, parked: announced }) =>
      state === 'parked' &&
      !imported &&
      seenSince(model, since) >= untilRemoved &&
      announced !== undefined &&
      announced.notice <= notice &&
      seenSince(model, announced.at) >= notice,
  )
  return { parked, removed }
}

/** The law: no client that was used, or that could not be seen to be used, is lost, and none without its notice. */
const assertLost = (model: Model, { client, imported, since, parked, uses }: Life): void => {
  const { client_id } = client
  const seenDays = [...model.observed].filter((day) => day >= since && day < useTime(model.now))
  assert.ok(client.registered_by === 'nobody' && !imported, `${client_id} is an operator's`)
  assert.ok(
    seenDays.every((day) => !uses.has(day)),
    `${client_id} was in use`,
  )
  assert.ok(seenDays.length * useUnit >= model.policy.unusedOpenRemovedAfter, `${client_id} could not be seen`)
  assert.ok(parked !== undefined && parked.at < useTime(model.now), `${client_id} was not announced`)
}

const sweep = async (model: Model, handles: ReadonlyArray<Ports>): Promise<void> => {
  const recordsUses = model.seeing === 'engine'
  if (recordsUses) model.observed.add(useTime(model.now))
  const tombstone = tombstoneAt(model.now)
  const settings = { now: () => model.now, lifeCycle: model.policy, removes: true }
  const [announced] = await Promise.all(
    handles.slice(0, 1).map(({ clientUses }) => done(announceRemovals({ ...clientUses, ...settings }))),
  )
  const passes = handles.map(({ clientUses, connections }) =>
    done(sweepClients({ ...unaudited, ...clientUses, ...connections, ...settings, tombstone, recordsUses })),
  )
  const swept = await Promise.all(passes)
  const { parked, removed } = inSweep(model)
  const sum = (of: 'parked' | 'removed'): number => swept.reduce((total, each) => total + each[of], 0)
  assert.equal([sum('parked'), sum('removed')], [parked.length, removed.length], 'parked and removed, each once')
  const found = announced?.first_at === undefined ? 0 : announced.within_a_day
  assert.ok(removed.length <= found, 'announced no later than on the day before')
  for (const life of removed) {
    assertLost(model, life)
    end(life)
    life.removedAt = model.now
  }
}

const assertStates = async (model: Model, { registry, clientUses }: Ports): Promise<void> => {
  const uses = await done(clientUses.findUses(model.lives.map(({ client }) => client.client_id)))
  for (const life of model.lives) {
    const { client_id } = life.client
    const found = O.toUndefined(await done(registry.findClient(client_id)))
    const use = uses.find((each) => each.client_id === client_id)
    const facts = found === undefined || use === undefined ? undefined : { ...found, parked: use.parked }
    life.stored = found ?? life.stored
    const expected = life.suspended ? 'suspended' : life.state
    assert.is(stateOf(facts, use?.last_use, model.now, defaultLifeCycle), expected, client_id)
    const isRemembered = await done(clientUses.isRemembered(digestOf(client_id), model.now))
    if (life.state !== 'gone') assert.not.ok(isRemembered, `${client_id} is remembered as removed`)
  }
  for (const print of prints) {
    const unused = O.toUndefined(await done(clientUses.findUnused(exampleHash(print))))
    const expected = countedOf(model).find((each) => each.print === print)
    assert.is(unused?.client_id, expected?.client.client_id, `unused ${print}`)
  }
}

// Random histories, of about a year.

type Handles = readonly [Ports, Ports]
type StateStep = { readonly name: string; readonly run: (model: Model, handles: Handles) => Promise<void> }

const step = <Values extends [unknown, ...Array<unknown>]>(
  weight: number,
  name: string,
  drawn: Arbitraries<Values>,
  run: (model: Model, handles: Handles, ...values: Values) => Promise<void>,
): fc.WeightedArbitrary<StateStep> => ({
  weight,
  arbitrary: fc.tuple<Values>(...drawn).map((values) => ({
    name,
    run: (model, handles) => run(model, handles, ...values),
    [fc.toStringMethod]: () => `${name} ${JSON.stringify(values)}`,
  })),
})

// Of the clients there are, counted round.
const nth = fc.nat(5)
const maybeNth = fc.option(nth, { nil: undefined })

const nthOf = ({ lives }: Model, place: number | undefined): Life | undefined =>
  place === undefined ? undefined : lives[place % lives.length]

const changes = { use, suspend: changeSuspension(true), resume: changeSuspension(false), remove, restore } as const

const changeOne = async (model: Model, [one]: Handles, what: keyof typeof changes, place: number): Promise<void> => {
  const life = nthOf(model, place)
  if (life !== undefined) await changes[what](model, one, life)
}

/** The service runs, and each day one client may be used. */
const runDays = async (model: Model, handles: Handles, days: number, place: number | undefined): Promise<void> => {
  for (let day = 0; day < days; day += 1) {
    pass(model, 1)
    const [one, other] = day % 2 === 0 ? handles : ([handles[1], handles[0]] as const)
    await sweep(model, [one])
    const life = nthOf(model, place)
    if (life !== undefined && !life.suspended) await use(model, other, life)
  }
}

const withWaits = (parkedAfter: number, removedAfter: number): LifeCyclePolicy => ({
  ...defaultLifeCycle,
  unusedOpenParkedAfter: parkedAfter * useUnit,
  unusedOpenRemovedAfter: removedAfter * useUnit,
})
const policies = [withWaits(7, 30), withWaits(7, 8), withWaits(1 / 24, 2 / 24), withWaits(20, 60)]
const seeings = fc.constantFrom<Seeing>('engine', 'reports', 'nobody')

const history: fc.Arbitrary<ReadonlyArray<StateStep>> = fc.array(
  fc.oneof(
    step(4, 'register', [fc.boolean(), fc.constantFrom(...prints)], (model, [one], open, print) =>
      register(model, one, open, print),
    ),
    step(
      2,
      'import',
      [fc.boolean(), fc.constantFrom(0, 40, 400), maybeNth],
      async (model, [one], open, days, replacing) => {
        const life = nthOf(model, replacing)
        await (life === undefined ? bringAnew(model, one, open, days) : replaceByImport(model, one, life))
      },
    ),
    step(3, 'change', [fc.constantFrom('use', 'suspend', 'resume'), nth], changeOne),
    step(1, 'change', [fc.constant('remove'), nth], changeOne),
    step(3, 'change', [fc.constant('restore'), nth], changeOne),
    step(5, 'run for days', [fc.integer({ min: 1, max: 35 }), maybeNth], runDays),
    // The service is down, or its clock jumps. Hours as well: a use is known to the day.
    step(1, 'pass days', [fc.constantFrom(0.3, 1, 7, 30, 89)], async (model, _, days) => pass(model, days)),
    step(2, 'sweep, by both at once or one', [fc.boolean()], (model, handles, both) =>
      sweep(model, both ? handles : handles.slice(0, 1)),
    ),
    // A restart with other settings. A day is seen by one of them as a whole.
    step(2, 'restart', [seeings, fc.constantFrom(...policies)], async (model, _, seeing, policy) => {
      pass(model, (useTime(model.now) + useUnit - model.now) / useUnit)
      Object.assign(model, { seeing, policy })
    }),
  ),
  { minLength: 20, maxLength: 60, size: 'max' },
)

/** Runs the history on a new store, on two handles in alternation: after each step each client has the state of the model. */
const leadHistory = async (handles: Handles, steps: ReadonlyArray<StateStep>): Promise<void> => {
  const model: Model = { now: exampleTime, seeing: 'engine', policy: defaultLifeCycle, observed: new Set(), lives: [] }
  for (const [index, { run }] of steps.entries()) {
    const turned = index % 2 === 0 ? handles : ([handles[1], handles[0]] as const)
    await run(model, turned)
    await assertStates(model, turned[1])
  }
}

/** The states of clients in time, by a model: docs/operate/year.md#life-cycle-of-a-client. */
export const clientStatesContract = (name: string, open: OpenStore<StoragePorts>): Contract => {
  const { test, tests } = collect(`States of clients ${name}`)
  test('each client has the state of the model after each step', () =>
    fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const { one, other, close } = await open()
        await leadHistory([one, other], steps).finally(close)
      }),
      { ...runParameters(), numRuns: Math.ceil(propertyRuns() / 4) },
    ))
  return tests
}
