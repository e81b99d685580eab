// Histories of clients in time: registered, used, parked, suspended, removed. The model moves by events, as the diagram
// of docs/life-cycle.md does, while stateOf of the domain looks at facts.
import {
  type ClientState,
  type EpochSeconds,
  type RegisteredClient,
  type Tombstone,
  type TokenHash,
  defaultLifeCycle,
  noLimits,
  registeredBefore,
  registryFull,
  resumedClient,
  secondsAfter,
  stateOf,
  suspendedClient,
  sweepClients,
  useTime,
  useUnit,
} from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { exampleClient, exampleHash, exampleTime } from '../examples/examples.js'
import { type StateStep, prints } from './any-state-history.js'
import { type StoreHandle, done } from './open-store.js'

export type Living = 'registry' | 'clientUses'
type Ports = Pick<StoreHandle, Living>

const maxUnusedOpen = 3

/** A client, with the state that it has apart from a suspension. */
type Life = {
  readonly client: RegisteredClient
  readonly print: string | undefined
  state: Exclude<ClientState, 'suspended'>
  usedOn: EpochSeconds | undefined
  suspended: boolean
  /** Whether the limit of unused open clients counts it: until it is used, or a sweep parks it. */
  counted: boolean
}

type Model = { now: EpochSeconds; readonly lives: Array<Life> }

const policy = defaultLifeCycle
const digestOf = (id: string): TokenHash => exampleHash(`gone-${id}`)

const tombstoneAt =
  (at: EpochSeconds) =>
  (id: string): Tombstone => ({ id: digestOf(id), until: secondsAfter(at, policy.tombstoneLifetime) })

const ageOf = ({ now }: Model, { client }: Life): number => now - client.client_id_issued_at

const countedOf = ({ lives }: Model): ReadonlyArray<Life> => lives.filter(({ counted }) => counted)

const register = async (
  model: Model,
  { registry }: Ports,
  { open, print }: Extract<StateStep, { kind: 'register' }>,
): Promise<void> => {
  const client: RegisteredClient = {
    ...exampleClient(`client-${model.lives.length}`),
    registered_by: open ? 'nobody' : 'token',
    client_id_issued_at: model.now,
  }
  const limits = { ...noLimits, unusedOpenClients: maxUnusedOpen }
  const outcome = await registry.addClient(client, O.none, limits, exampleHash(print))()
  const counted = countedOf(model)
  if (open && counted.some((each) => each.print === print)) return assert.equal(outcome, E.left(registeredBefore))
  if (open && counted.length >= maxUnusedOpen) return assert.equal(outcome, E.left(registryFull))
  assert.ok(E.isRight(outcome), 'registered')
  model.lives.push({
    client,
    print: open ? print : undefined,
    state: 'unused',
    usedOn: undefined,
    suspended: false,
    counted: open,
  })
}

const use = async ({ now }: Model, { clientUses }: Ports, life: Life): Promise<void> => {
  await done(clientUses.recordUse(life.client, now))
  if (life.state === 'gone') return
  life.state = 'active'
  life.counted = false
  life.usedOn = useTime(now)
}

const changeSuspension =
  (suspended: boolean) =>
  async ({ now }: Model, { registry }: Ports, life: Life): Promise<void> => {
    const found = await done(registry.findClient(life.client.client_id))
    if (O.isNone(found) || life.suspended === suspended) return
    const next = suspended ? suspendedClient(now)(found.value) : resumedClient(found.value)
    await done(registry.replaceClient(next, found.value))
    life.suspended = suspended
  }

const end = (life: Life): void => void Object.assign(life, { state: 'gone', suspended: false, counted: false })

const remove = async ({ now }: Model, { registry }: Ports, life: Life): Promise<void> => {
  const { client_id } = life.client
  const outcome = await registry.removeClient(client_id, O.none, tombstoneAt(now)(client_id))()
  assert.is(E.isRight(outcome), life.state !== 'gone', 'removed')
  end(life)
}

const moveOn = (model: Model, life: Life): void => {
  const isOld = ageOf(model, life) >= policy.unusedOpenParkedAfter
  if (life.state === 'unused' && life.print !== undefined && isOld) life.state = 'parked'
  if (life.state === 'active' && model.now - (life.usedOn ?? model.now) >= policy.idleAfter) life.state = 'idle'
}

const pass = (model: Model, passed: number): void => {
  model.now = secondsAfter(model.now, passed * useUnit)
  for (const life of model.lives) moveOn(model, life)
}

const sweep = async (model: Model, handles: ReadonlyArray<Ports>): Promise<void> => {
  const tombstone = tombstoneAt(model.now)
  const passes = handles.map(({ clientUses }) =>
    done(sweepClients(policy, { ...clientUses, now: () => model.now, tombstone })),
  )
  const swept = await Promise.all(passes)
  const parked = model.lives.filter(({ state, suspended }) => state === 'parked' && !suspended)
  const dead = parked.filter((life) => ageOf(model, life) >= policy.unusedOpenRemovedAfter)
  const newly = parked.filter(({ counted }) => counted)
  const sum = (of: 'parked' | 'removed'): number => swept.reduce((total, each) => total + each[of], 0)
  assert.equal([sum('parked'), sum('removed')], [newly.length, dead.length], 'parked and removed, each once')
  for (const life of parked) life.counted = false
  dead.forEach(end)
}

const assertStates = async (model: Model, { registry, clientUses }: Ports): Promise<void> => {
  for (const life of model.lives) {
    const { client_id } = life.client
    const found = O.toUndefined(await done(registry.findClient(client_id)))
    const [latest] = await done(clientUses.findUses([client_id]))
    const expected = life.suspended ? 'suspended' : life.state
    assert.is(stateOf(found, latest?.last_use, model.now, policy), expected, client_id)
    const isRemembered = await done(clientUses.isRemembered(digestOf(client_id), model.now))
    if (life.state !== 'gone') assert.not.ok(isRemembered, `${client_id} is remembered as removed`)
  }
  for (const print of prints) {
    const unused = O.toUndefined(await done(clientUses.findUnused(exampleHash(print))))
    const expected = countedOf(model).find((each) => each.print === print)
    assert.is(unused?.client_id, expected?.client.client_id, `unused ${print}`)
  }
}

const onOne = { use, suspend: changeSuspension(true), resume: changeSuspension(false), remove } as const

const run = async (model: Model, [one, other]: readonly [Ports, Ports], step: StateStep): Promise<void> => {
  switch (step.kind) {
    case 'register':
      return register(model, one, step)
    case 'pass':
      return pass(model, step.days)
    case 'sweep':
      return sweep(model, [one])
    case 'sweep twice at once':
      return sweep(model, [one, other])
    case 'use':
    case 'suspend':
    case 'resume':
    case 'remove': {
      const life = model.lives[step.nth % model.lives.length]
      return life === undefined ? undefined : onOne[step.kind](model, one, life)
    }
  }
}

/** Runs the history on a new store, on two handles in alternation: after each step each client has the state of the model. */
export const leadStateHistory = async (
  handles: readonly [Ports, Ports],
  history: ReadonlyArray<StateStep>,
): Promise<void> => {
  const model: Model = { now: exampleTime, lives: [] }
  for (const [index, step] of history.entries()) {
    const turned = index % 2 === 0 ? handles : ([handles[1], handles[0]] as const)
    await run(model, turned, step)
    await assertStates(model, turned[1])
  }
}
