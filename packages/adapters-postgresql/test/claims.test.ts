// Claims on due notifications, of which the store reads no more than it needs.
import { noLimits, secondsAfter } from '@clientele/domain'
import { done, exampleClient, exampleHash, exampleNotification, exampleSession, exampleTime } from '@clientele/testing'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { postgresqlSuite } from './support/postgresql-suite.js'
import { query } from './support/query.js'
import { endOf } from './support/races.js'
import { numbers } from './support/services.js'
import { newStore, opened } from './support/temporary-store.js'

const tests = postgresqlSuite('claims on due notifications')

tests('unreadable notifications do not block the readable ones after them', async (server) => {
  const url = await newStore(server)
  const store = await opened(url)
  await done(store.registry.addClient(exampleClient('a'), O.none, noLimits))
  const session = exampleSession('one', ['a'])
  await done(store.endUserSessions.addSession(session, exampleHash('cookie'), exampleTime))
  const notifications = numbers(9).map((index) => exampleNotification(`to-${index}`, 'a'))
  await done(store.sessionTermination.endSession(endOf(session, { notifications })))
  await query(url, `UPDATE notifications SET note = 'not JSON' WHERE id = ANY ($1)`, [['to-0', 'to-1', 'to-2', 'to-4']])
  const at = secondsAfter(exampleTime, 1)
  const claim = { holder: 'one', until: secondsAfter(exampleTime, 60) }
  const claimed = async (max: number) =>
    (await done(store.pendingNotifications.claimDue(at, claim, max))).map(({ id }) => id)
  assert.equal(await claimed(2), ['to-3', 'to-5'])
  assert.equal(await claimed(0), [])
  assert.equal(await claimed(20), ['to-3', 'to-5', 'to-6', 'to-7', 'to-8'])
  await store.close()
})

tests.run()
