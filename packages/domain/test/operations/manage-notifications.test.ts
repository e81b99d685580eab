import { unaudited } from '@clientele/domain/operations'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operatorOfTheStore } from '../../src/authorization/credential.js'
import { secondsAfter } from '../../src/kernel/time.js'
import { unavailable, unknownNotification } from '../../src/kernel/refusals.js'
import {
  type NotificationManagement,
  deliverNotifications,
  manageNotifications,
  maxListed,
} from '../../src/operations/notifications.js'
import { done, exampleTime, refused, exampleOrigin, only } from '@clientele/testing'
import { type LogoutWorld, answered, deliverySettings, logoutWorld, owe } from '../support/logout-world.js'

const Manage = suite('manageNotifications')

/** One failed notification, one that is repeated, and one without an attempt. */
const begin = async (): Promise<LogoutWorld> => {
  const world = logoutWorld(async ({ id }) => answered(id === 'bad' ? 400 : 500))
  owe(world, 'bad', 'shop')
  owe(world, 'down', 'bank')
  await done(deliverNotifications(deliverySettings(), world.ports))
  owe(world, 'new', 'mail')
  return world
}

const managing = ({ ports, pendingNotifications }: LogoutWorld, delivers = true): NotificationManagement =>
  manageNotifications({ delivers }, { ...unaudited, ...pendingNotifications, now: ports.now })(operatorOfTheStore(), {
    origin: exampleOrigin,
  })

Manage('the list tells every notice with what became of it, and whose logout it is of in no way', async () => {
  const list = await done(managing(await begin()).listNotifications)
  const reported = (id: string, client_id: string) => ({
    id,
    client_id,
    uri: `https://${client_id}.example/logout?notice=${id}`,
    created_at: exampleTime,
  })
  assert.equal(list, {
    notices: [
      { ...reported('bad', 'shop'), attempts: 1, state: 'failed', note: 'the status was 400' },
      {
        ...reported('down', 'bank'),
        attempts: 1,
        state: 'waits',
        note: 'the status was 500',
        due_at: exampleTime + 60,
      },
      { ...reported('new', 'mail'), attempts: 0, state: 'waits', note: '', due_at: exampleTime },
    ],
    more: false,
  })
  assert.not.match(JSON.stringify(list), /sub at|sid at/)
})

Manage('where nothing is delivered, the list says why', async () => {
  const { notices } = await done(managing(await begin(), false).listNotifications)
  assert.equal(
    notices.map(({ note, due_at }) => [note, due_at]),
    [
      ['the status was 400', undefined],
      ['outbound-fetches is off', undefined],
      ['outbound-fetches is off', undefined],
    ],
  )
})

Manage('a long list ends, and says so', async () => {
  const world = logoutWorld(async () => answered(200))
  for (let index = 0; index <= maxListed; index += 1) owe(world, `notice-${index}`, 'shop')
  const { notices, more } = await done(managing(world).listNotifications)
  assert.equal([notices.length, notices[0]?.id, more], [maxListed, 'notice-0', true])
})

Manage('retry makes what has failed due now, as if never tried, and leaves the rest', async () => {
  const world = await begin()
  world.clock.at = secondsAfter(exampleTime, 30)
  assert.equal(await done(managing(world).retry(O.none)), { retried: 1, delivers: true })
  const { notices } = await done(managing(world).listNotifications)
  assert.equal(
    notices.map(({ id, state, attempts, due_at }) => [id, state, attempts, due_at]),
    [
      ['bad', 'waits', 0, exampleTime + 30],
      ['down', 'waits', 1, exampleTime + 60],
      ['new', 'waits', 0, exampleTime],
    ],
  )
  assert.equal(await done(managing(world, false).retry(O.none)), { retried: 0, delivers: false })
})

Manage('retry of one that is not there, or has not failed, is refused', async () => {
  const world = await begin()
  for (const id of ['', 'nobody', 'down', 'new'])
    assert.equal(await refused(managing(world).retry(O.some(id))), unknownNotification, id)
  assert.equal(await done(managing(world).retry(O.some('bad'))), { retried: 1, delivers: true })
})

Manage('a store that fails is told', async () => {
  const broken = TE.left(unavailable('disk'))
  const ports = { listNotifications: () => broken, retryNotifications: () => broken, now: () => exampleTime }
  const { listNotifications, retry } = manageNotifications({ delivers: true }, only({ ...unaudited, ...ports }))(
    operatorOfTheStore(),
    { origin: exampleOrigin },
  )
  assert.is((await refused(listNotifications)).error, 'unavailable')
  assert.is((await refused(retry(O.none))).error, 'unavailable')
})

Manage.run()
