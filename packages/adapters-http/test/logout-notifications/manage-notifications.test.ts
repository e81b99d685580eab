import { secondsAfter, unavailable } from '@clientele/domain/kernel'
import {
  type ByRequest,
  type NotificationManagement,
  manageNotifications,
  unaudited,
} from '@clientele/domain/operations'
import { inMemoryPendingNotifications } from '@clientele/adapters-memory'
import { exampleNotification } from '@clientele/testing'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { at, createWorld, httpSettings, master } from '../support/in-memory-ports.js'
import { right } from '../support/keys.js'
import { shells } from '../support/shells.js'
import { type Sent, type Wire, send, withServer } from '../support/wire.js'

const sessionTermination = suite('logout notices of operators')

type Reported = {
  readonly status: number
  readonly members: Readonly<Record<string, unknown>>
  readonly store: unknown
}

const requested = async (wire: Pick<Wire, 'port'>, method: string, path: string, sent?: Sent): Promise<Reported> => {
  const { status, headers, body } = await send(wire, method, path, sent)
  const parsed: unknown = body.length === 0 ? {} : JSON.parse(body.toString())
  return { status, members: Object.fromEntries(Object.entries(parsed ?? {})), store: headers['cache-control'] }
}

type Use = (ask: (method: string, path: string, sent?: Sent) => Promise<Reported>) => Promise<void>

// With one shell after the other.
const withNotifications = async (
  make: () => Promise<ByRequest<'deliveries', NotificationManagement>>,
  use: Use,
  basePath = '',
): Promise<void> => {
  for (const shell of shells)
    await withServer(
      shell.createManagementListener(httpSettings({ basePath }), createWorld({ notifications: await make() })),
      (wire) => use((method, path, sent) => requested(wire, method, path, sent)),
    )
}

/** Two failed notifications, and one pending. */
const owed = async (): Promise<ByRequest<'deliveries', NotificationManagement>> => {
  const pendingNotifications = inMemoryPendingNotifications()
  for (const id of ['one', 'two', 'three'])
    pendingNotifications.add({ ...exampleNotification(id, 'shop'), created_at: at })
  const tried = { kind: 'failed' as const, attempts: 9, due_at: at, note: 'the status was 500' }
  right(await pendingNotifications.claimDue(at, { holder: 'instance', until: secondsAfter(at, 60) }, 2)())
  const tries = ['one', 'two'].map((id) => ({ id, ...tried }))
  right(await pendingNotifications.recordTries('instance', tries)())
  return manageNotifications(
    { delivers: true },
    { ...unaudited, ...pendingNotifications, now: () => secondsAfter(at, 5) },
  )
}

const operations = [
  ['GET', '/logouts'],
  ['POST', '/logouts/retry'],
] as const

sessionTermination('nobody but the master token is answered, and nothing happens', () =>
  withNotifications(owed, async (ask) => {
    for (const [method, path] of operations)
      for (const json of [{}, { id: 'one' }, { id: 1 }, null]) {
        const { status, members, store } = await ask(method, path, { json })
        assert.equal([status, members['error'], store], [401, 'missing_token', 'no-store'], path)
        for (const token of ['unknown', `${master}x`])
          assert.is((await ask(method, path, { json, token })).status, 401, path)
      }
    const { members } = await ask('POST', '/logouts/retry', { json: {}, token: master })
    assert.is(members['retried'], 2)
  }),
)

sessionTermination('where operators have a port of their own, nobody else has these paths', async () => {
  for (const shell of shells)
    await withServer(
      shell.createPublicListener(httpSettings(), createWorld(), { withOperators: false }),
      async (wire) => {
        for (const [method, path] of operations)
          assert.is((await send(wire, method, path, { token: master, json: {} })).status, 404, path)
      },
    )
})

sessionTermination('GET /logouts lists them, and whose logout each is of in no way', () =>
  withNotifications(
    owed,
    async (ask) => {
      const { status, members, store } = await ask('GET', '/op/logouts', { token: master })
      assert.equal([status, store, members['more']], [200, 'no-store', false])
      const reported = { client_id: 'shop', uri: exampleNotification('', 'shop').uri, created_at: at }
      const failed = { ...reported, attempts: 9, state: 'failed', note: 'the status was 500' }
      assert.equal(members['notices'], [
        { ...failed, id: 'one' },
        { ...failed, id: 'two' },
        { ...reported, id: 'three', attempts: 0, state: 'waits', note: '', due_at: at },
      ])
      assert.not.match(JSON.stringify(members), /sub at|sid at/)
    },
    '/op',
  ),
)

sessionTermination('POST /logouts/retry makes one due, or all; an unknown one is 404 with what to do', () =>
  withNotifications(owed, async (ask) => {
    const retry = (json: unknown) => ask('POST', '/logouts/retry', { token: master, json })
    for (const id of ['', 'three', 'nobody']) {
      const { status, members, store } = await retry({ id })
      assert.equal([status, members['error'], store], [404, 'unknown_notice', 'no-store'], id)
      assert.match(String(members['error_description']), 'clientele logouts list')
    }
    assert.equal((await retry({ id: 'one' })).members, { retried: 1, delivers: true })
    assert.equal((await retry({})).members, { retried: 1, delivers: true })
    assert.equal((await retry({})).members, { retried: 0, delivers: true })
  }),
)

sessionTermination('a body that is no object, or of wrong types, is 400, and nothing happens', () =>
  withNotifications(owed, async (ask) => {
    for (const json of [
      null,
      [],
      1,
      'one',
      { id: 1 },
      { id: null },
      { id: ['one'] },
      { ID: 'one' },
      { id: 'one', more: '' },
    ]) {
      const { status, members } = await ask('POST', '/logouts/retry', { token: master, json })
      assert.equal([status, members['error']], [400, 'invalid_request'], JSON.stringify(json))
    }
    assert.is((await ask('POST', '/logouts/retry', { token: master, json: {} })).members['retried'], 2)
  }),
)

sessionTermination('a store that fails is 503', async () => {
  const broken = TE.left(unavailable('disk full at /secret/path'))
  await withNotifications(
    async () => () => ({ listNotifications: broken, retry: () => broken }),
    async (ask) => {
      for (const [method, path] of operations) {
        const { status, members } = await ask(method, path, { token: master, json: {} })
        assert.equal([status, members], [503, {}])
      }
    },
  )
})

sessionTermination.run()
