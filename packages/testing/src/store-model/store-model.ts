import * as fc from 'fast-check'
import type { StoragePorts } from '@clientele/domain/ports'
import { type OpenStore, type OpenedStore, done, listed } from '../contracts/contract.js'
import { exampleTime } from '../examples.js'
import { artefactModel } from './artefact-model.js'
import { clientModel } from './client-model.js'
import {
  type Done,
  type Explanation,
  type Freedoms,
  type ReferenceStore,
  type Seen,
  type Step,
  type StoreModel,
  explain,
  inThisOrder,
  outcomeOf,
  textOf,
  unordered,
} from './explain.js'
import { keyRingModel } from './key-ring-model.js'
import { sessionModel } from './session-model.js'

/** The parts of a store. */
export const storeModels: ReadonlyArray<StoreModel> = [clientModel, sessionModel, keyRingModel, artefactModel]

export type StoreModelOptions<State> = {
  /** Opens a new, empty store. */
  readonly open: OpenStore<StoragePorts>
  readonly reference: ReferenceStore<State>
  /** How many steps run at the same time. */
  readonly atOnce: { readonly min: number; readonly max: number }
  readonly freedoms: Freedoms
}

type At = { readonly step: Step; readonly handle: 'one' | 'other' }

const nothingSeen: Seen = { clients: [], initialAccessTokens: [], sessions: [], notifications: [], keyRings: [] }

const seenIn = async (
  { registry, initialAccessTokens, endUserSessions, pendingNotifications, keyRings }: StoragePorts,
  before: Seen,
): Promise<Seen> => ({
  clients: [...before.clients, ...(await listed(registry))],
  initialAccessTokens: [
    ...before.initialAccessTokens,
    ...(await done(initialAccessTokens.listInitialAccessTokens(exampleTime, 100))).map(({ hash }) => hash),
  ],
  sessions: [...before.sessions, ...(await done(endUserSessions.listSessions('zoe')))],
  notifications: [
    ...before.notifications,
    ...(await done(pendingNotifications.listNotifications(100))).map(({ id }) => id),
  ],
  keyRings: [...before.keyRings, await done(keyRings.readKeyRings)],
})

/** Runs the steps at the same time, and returns all states of the reference that explain what they did. */
const together = async <State>(
  how: Explanation<State>,
  states: ReadonlyArray<State>,
  { one, other }: Omit<OpenedStore<StoragePorts>, 'close'>,
  steps: ReadonlyArray<At>,
): Promise<ReadonlyArray<State>> => {
  const run = async ({ step, handle }: At): Promise<Done> => {
    const ports = handle === 'one' ? one : other
    return { step, outcome: await outcomeOf(step.run, ports, how.seen) }
  }
  const ran = await Promise.all(steps.map(run))
  const seen = await how.look(other)
  const ofOne = textOf(await how.look(one))
  if (ofOne !== textOf(seen)) throw new Error(`the handles differ: ${ofOne}, and ${textOf(seen)}`)
  const explaining = await explain(how, states, ran, textOf(seen))
  const [first] = states
  if (explaining.length > 0 || first === undefined) return explaining
  const observed = ran.map(({ step, outcome }, place) => `${steps[place]?.handle}: ${step.name}: ${outcome}`)
  const present = `then ${textOf(seen)}`
  const expected = `in this order, in the reference: ${textOf(await inThisOrder(how, first, ran))}`
  throw new Error(['no order of these steps explains:', ...observed, present, expected].join('\n'))
}

/**
 * The store and the reference return and store the same, whatever happens: steps on two handles, one after the other or
 * several at the same time, have the outcomes and the effects of some order.
 */
export const storeModelProperty = <State>(
  { prepare, step, look }: StoreModel,
  { open, reference, atOnce, freedoms }: StoreModelOptions<State>,
): fc.IAsyncPropertyWithHooks<[Array<Array<At>>]> => {
  const view = freedoms.order ? unordered : (ports: StoragePorts) => ports
  const viewed = { ...reference, open: (state: State) => view(reference.open(state)) }
  const at = fc
    .record({ step, handle: fc.constantFrom('one' as const, 'other' as const) })
    .map((each) => ({ ...each, [fc.toStringMethod]: () => `${each.handle}: ${each.step.name}` }))
  const group = fc.array(at, { minLength: atOnce.min, maxLength: atOnce.max })
  return fc.asyncProperty(fc.array(group, { minLength: 4, maxLength: 12 }), async (groups) => {
    const store = await open()
    const handles = { one: view(store.one), other: view(store.other) }
    try {
      const state = reference.empty()
      for (const ports of [viewed.open(state), handles.one]) await prepare(ports)
      let states: ReadonlyArray<State> = [state]
      let seen: Seen = await seenIn(handles.one, nothingSeen)
      for (const steps of groups) {
        const before = seen
        const how = { reference: viewed, freedoms, seen, look: (ports: StoragePorts) => look(ports, before) }
        states = await together(how, states, handles, steps)
        seen = await seenIn(handles.one, seen)
      }
    } finally {
      await store.close()
    }
  })
}
