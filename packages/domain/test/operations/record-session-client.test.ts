// The registration that signs in the end-user: the present one, or the one that the caller names.
import { unaudited } from '@clientele/domain/operations'
import { inMemoryStore } from '@clientele/adapters-memory'
import {
  done,
  exampleClient,
  exampleHash,
  exampleSession,
  exampleTime,
  noPauses,
  refused,
  exampleOrigin,
  addition,
  removal,
  noRow,
} from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operatorOfTheStore } from '../../src/authorization/credential.js'
import { unavailable } from '../../src/kernel/refusals.js'
import { secondsAfter } from '../../src/kernel/time.js'
import type { RegistrationId } from '../../src/client/ids.js'
import { recordSessionClient } from '../../src/operations/sessions.js'
import { createTurns } from '../../src/operations/conflicts.js'

const Record = suite('recordSessionClient')

const first = exampleClient('a')
const second = exampleClient('a', 'second')

const world = async () => {
  const store = inMemoryStore()
  await done(store.registry.addClient(addition(first)))
  await done(store.endUserSessions.addSession(exampleSession('one'), exampleHash('cookie'), exampleTime, noRow))
  const ports = { ...store.registry, ...store.endUserSessions, ...createTurns(noPauses), now: () => exampleTime }
  const record = (sent: object, registrationId?: RegistrationId, others: Partial<typeof ports> = {}) =>
    recordSessionClient({ ...unaudited, ...ports, ...others })({
      origin: exampleOrigin,
      operator: operatorOfTheStore(),
      sid: 'one',
      body: E.right({ client_id: 'a', ...sent }),
      ...(registrationId === undefined ? {} : { registrationId }),
    })
  const registerAnew = async (): Promise<void> => {
    await done(store.registry.removeClient(removal(first.client_id)))
    await done(store.registry.addClient(addition(second)))
  }
  const clients = async () => O.toUndefined(await done(store.endUserSessions.findSessionById('one')))?.clients
  const remove = () => done(store.registry.removeClient(removal(first.client_id)))
  return { ports, record, registerAnew, clients, remove }
}

Record('the present registration is recorded, and the one that is named where it is the present one', async () => {
  const { record, clients } = await world()
  for (const named of [undefined, first.registration_id])
    assert.is((await done(record({}, named))).registration_id, first.registration_id)
  assert.is((await clients())?.length, 1)
})

Record('another registration than the present one is refused, and nothing is recorded', async () => {
  const { record, registerAnew, clients } = await world()
  assert.is((await refused(record({}, second.registration_id))).error, 'unknown_client')
  await registerAnew()
  assert.is((await refused(record({}, first.registration_id))).error, 'unknown_client')
  assert.equal(await clients(), [])
})

Record('a registration that ends while it is recorded is refused, and the next one is not recorded', async () => {
  const { ports, record, registerAnew, clients } = await world()
  const replaceSession: typeof ports.replaceSession = (replacement) => async () => {
    await registerAnew()
    return ports.replaceSession(replacement)()
  }
  assert.is((await refused(record({}, first.registration_id, { replaceSession }))).error, 'unknown_client')
  assert.equal(await clients(), [])
})

Record('a client that is not registered is refused as such to whom names its registration', async () => {
  const { record, remove } = await world()
  await remove()
  assert.is((await refused(record({}, first.registration_id))).error, 'unknown_client')
  assert.is((await refused(record({}))).error, 'invalid_request')
})

Record('the names of the end-user at one registration are not those at the next', async () => {
  const { record, registerAnew, clients } = await world()
  await done(record({ sub: 'pairwise', sid: 'its own' }))
  await registerAnew()
  const { sub, sid } = await done(record({}))
  assert.equal([sub, sid], ['zoe', 'one'])
  assert.equal(
    (await clients())?.map(({ registration_id }) => registration_id),
    [second.registration_id],
  )
})

const later = (seconds: number) => ({ now: () => secondsAfter(exampleTime, seconds) })

Record('what is recorded already is not written again within a minute, and read only', async () => {
  const { ports, record, clients } = await world()
  const names = { sub: 'zoe', sid: 'its own' }
  const recorded = await done(record(names, first.registration_id))
  const writes: Array<unknown> = []
  const replaceSession: typeof ports.replaceSession = (replacement) => {
    writes.push(replacement.next.used_at)
    return ports.replaceSession(replacement)
  }
  const again = (
    sent: object,
    others: Partial<typeof ports> = {},
    named: RegistrationId | undefined = recorded.registration_id,
  ) => done(record(sent, named, { replaceSession, ...others }))
  assert.equal(await again(names, later(59)), recorded)
  assert.equal(writes, [])
  await again(names, later(60))
  await again({ ...names, sub: 'other' })
  await done(record(names, undefined, { replaceSession }))
  assert.is(writes.length, 3)
  assert.equal((await clients())?.at(-1), recorded)
})

Record('what is recorded already is answered when what was read is durable', async () => {
  const { record } = await world()
  const names = { sub: 'zoe', sid: 'its own' }
  const away = unavailable('the standby is away')
  const lacking = { confirmReads: TE.left(away) }
  await done(record(names, first.registration_id, lacking))
  assert.equal(await record(names, first.registration_id, lacking)(), E.left(away))
})

Record('a client that is recorded already is refused where its registration or the session has ended', async () => {
  const { record, registerAnew } = await world()
  const names = { sub: 'zoe', sid: 'its own' }
  await done(record(names, first.registration_id))
  const never = { now: () => secondsAfter(exampleTime, 1_000_000) }
  assert.is((await refused(record(names, first.registration_id, never))).error, 'unknown_session')
  await registerAnew()
  assert.is((await refused(record(names, first.registration_id))).error, 'unknown_client')
})

Record.run()
