// Histories of clients that are registered, deleted and registered again under the same ids, with records for each
// registration, and their invariants.
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import {
  clientIdTaken,
  noLimits,
  unknownClient,
  defaultNotificationLimits,
  withClient,
  type RegisteredClient,
} from '@clientele/domain'
import * as assert from 'uvu/assert'
import {
  exampleAuthorization,
  exampleClient,
  exampleHash,
  exampleId,
  exampleNotification,
  exampleSession,
  exampleSessionClient,
  exampleTime,
  updatedExample,
} from '../examples/examples.js'
import { done, type StoreHandle } from './open-store.js'

export type Recording =
  'registry' | 'authorizations' | 'endUserSessions' | 'sessionTermination' | 'pendingNotifications'
type Ports = Pick<StoreHandle, Recording>

/** An action on the client of the id, or on behalf of one of its registrations: the first, the second and so on. */
type Step = {
  readonly kind: 'register' | 'update' | 'remove' | 'grant' | 'sign in' | 'owe'
  readonly id: string
  readonly life: number
}

export const anyRegistrationHistory = (): fc.Arbitrary<ReadonlyArray<Step>> =>
  fc.array(
    fc.record({
      kind: fc.constantFrom<Step['kind']>('register', 'register', 'update', 'remove', 'grant', 'sign in', 'owe'),
      id: fc.constantFrom('a', 'b'),
      life: fc.integer({ min: 1, max: 3 }),
    }),
    { minLength: 1, maxLength: 30 },
  )

type Model = {
  /** The number of registrations of each id. */
  readonly lives: Map<string, number>
  readonly registered: Map<string, RegisteredClient>
  /** The records, each with its registration. */
  readonly granted: Map<string, string>
  readonly owed: Map<string, string>
  readonly signedIn: Set<string>
}

const nothingYet = (): Model => ({
  lives: new Map(),
  registered: new Map(),
  granted: new Map(),
  owed: new Map(),
  signedIn: new Set(),
})

const session = exampleSession('one')

const registrationOf = ({ id, life }: Step): string => exampleClient(id, String(life)).registration_id

const lasts = ({ registered }: Model, step: Step): boolean =>
  registered.get(step.id)?.registration_id === registrationOf(step)

const register = async (model: Model, { registry }: Ports, { id }: Step): Promise<void> => {
  const life = (model.lives.get(id) ?? 0) + 1
  const client = exampleClient(id, String(life))
  const outcome = await registry.addClient(client, O.none, noLimits)()
  if (model.registered.has(id)) return assert.equal(outcome, E.left(clientIdTaken))
  assert.ok(E.isRight(outcome))
  model.lives.set(id, life)
  model.registered.set(id, client)
}

const update = async ({ registered }: Model, { registry }: Ports, { id }: Step): Promise<void> => {
  const client = registered.get(id)
  if (client === undefined) return
  const next = updatedExample(client, `version-${client.version + 1}`)
  await done(registry.replaceClient(next, client))
  registered.set(id, next)
}

const remove = async (model: Model, { registry }: Ports, { id }: Step): Promise<void> => {
  const client = model.registered.get(id)
  const outcome = await registry.removeClient(exampleId(id), O.none)()
  if (client === undefined) return assert.equal(outcome, E.left(unknownClient))
  model.registered.delete(id)
  model.signedIn.delete(client.registration_id)
  for (const recorded of [model.granted, model.owed])
    for (const [name, registration] of recorded) if (registration === client.registration_id) recorded.delete(name)
}

const grant = async (model: Model, { authorizations }: Ports, step: Step, nth: number): Promise<void> => {
  const granted = exampleAuthorization(exampleClient(step.id, String(step.life)), `grant-${nth}`)
  const outcome = await authorizations.recordAuthorization(granted, exampleTime)()
  if (!lasts(model, step)) return assert.equal(outcome, E.left(unknownClient))
  assert.ok(E.isRight(outcome))
  model.granted.set(`grant-${nth}`, registrationOf(step))
}

const signIn = async (model: Model, { endUserSessions }: Ports, step: Step): Promise<void> => {
  const read = O.getOrElse(() => session)(await done(endUserSessions.findSessionById(session.sid)))
  const client = exampleSessionClient(step.id, String(step.life))
  await done(endUserSessions.replaceSession(withClient(client, exampleTime)(read), read))
  if (lasts(model, step)) model.signedIn.add(registrationOf(step))
}

const owe = async (
  model: Model,
  { endUserSessions, sessionTermination }: Ports,
  step: Step,
  nth: number,
): Promise<void> => {
  const ending = exampleSession(`ending-${nth}`)
  await done(endUserSessions.addSession(ending, exampleHash(ending.sid), exampleTime))
  const notifications = [exampleNotification(`notice-${nth}`, step.id, String(step.life))]
  const ended = {
    session: ending,
    notifications,
    notificationLimits: defaultNotificationLimits,
    revokesOfflineAccess: false,
  }
  await done(sessionTermination.endSession(ended))
  if (lasts(model, step)) model.owed.set(`notice-${nth}`, registrationOf(step))
}

const run = { register, update, remove, grant, 'sign in': signIn, owe } as const

const sorted = (entries: Iterable<readonly [string, string]>): ReadonlyArray<string> =>
  [...entries].map((entry) => entry.join(' ')).sort()

const assertFound = async (model: Model, ports: Ports, steps: number): Promise<void> => {
  const grants = await Promise.all(
    Array.from({ length: steps }, (_, nth) =>
      done(ports.authorizations.findAuthorization('refresh_token', exampleHash(`grant-${nth}`))),
    ),
  )
  const found = grants.flatMap((each, nth): ReadonlyArray<readonly [string, string]> =>
    O.isSome(each) ? [[`grant-${nth}`, each.value.registration_id]] : [],
  )
  assert.equal(sorted(found), sorted(model.granted), 'granted')
  const owed = await done(ports.pendingNotifications.listNotifications(steps))
  assert.equal(
    sorted(owed.map(({ id, registration_id }) => [id, registration_id] as const)),
    sorted(model.owed),
    'owed',
  )
  const signedIn = O.toUndefined(await done(ports.endUserSessions.findSessionById(session.sid)))?.clients
  assert.equal(signedIn?.map(({ registration_id }) => registration_id).sort(), [...model.signedIn].sort(), 'signed in')
  for (const [id, client] of model.registered)
    assert.equal(await done(ports.registry.findClient(exampleId(id))), O.some(client))
}

/** Runs the history on a new store, on two handles in alternation: after each step the store equals the model. */
export const leadRegistrationHistory = async (
  handles: readonly [Ports, Ports],
  history: ReadonlyArray<Step>,
): Promise<void> => {
  const model = nothingYet()
  await done(handles[0].endUserSessions.addSession(session, exampleHash('cookie'), exampleTime))
  for (const [nth, step] of history.entries()) {
    const [one, other] = nth % 2 === 0 ? handles : [handles[1], handles[0]]
    await run[step.kind](model, one, step, nth)
    await assertFound(model, other, history.length)
  }
}
