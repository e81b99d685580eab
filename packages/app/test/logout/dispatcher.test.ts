import { operatorOfTheStore } from '@clientele/domain/authorization'
import { epochSeconds, secondsAfter, unavailable } from '@clientele/domain/kernel'
import { type DeliveryPolicy, type DeliveryResult, defaultDelivery } from '@clientele/domain/logout'
import type { LogoutSender, PendingNotifications } from '@clientele/domain/ports'
import { inMemoryPendingNotifications, type InMemoryPendingNotifications } from '@clientele/adapters-memory'
import { exampleNotification, exampleOrigin } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { allowingNetworks, createLogoutSender } from '@clientele/adapters-outbound'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createLog } from '../../src/observing/log.js'
import { type LogoutDispatcher, createLogoutDispatcher } from '../../src/running/logout-dispatcher.js'
import { dispatcherPorts } from '../support/dispatcher-ports.js'
import { reachReceivers, startReceiver, tokensOf, until } from '../support/receivers.js'

const dispatchers = suite('logout dispatcher')

type World = {
  readonly pending: InMemoryPendingNotifications
  readonly lines: Array<string>
  readonly dispatcher: LogoutDispatcher
}

const now = () => epochSeconds(Date.now())
const signToken = () => TE.right('signed')

const begin = (
  sender: LogoutSender | undefined,
  policy: Partial<DeliveryPolicy> = {},
  given: { readonly pending?: PendingNotifications } = {},
): World => {
  const pending: InMemoryPendingNotifications = inMemoryPendingNotifications()
  const lines: Array<string> = []
  const dispatcher = createLogoutDispatcher({
    settings: {
      delivery: { ...defaultDelivery, ...policy },
      keyPolicy: { retention: 86_400 },
      instance: 'this instance',
      isOnLoopback: false,
    },
    ports: dispatcherPorts(given.pending ?? pending, now),
    sender,
    log: createLog('info', { write: (line) => lines.push(line), writableLength: 0 }),
  })
  return { pending, lines, dispatcher }
}

const owe = ({ pending }: Pick<World, 'pending'>, id: string, uri?: string): void =>
  pending.add({
    ...exampleNotification(id, 'shop'),
    ...(uri === undefined ? {} : { uri }),
    created_at: now(),
  })

const answering = (result: DeliveryResult): LogoutSender => ({ sendLogoutToken: () => async () => result })
const done: DeliveryResult = { kind: 'answered', status: 200, retryAfter: undefined }
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

const listed = async ({ dispatcher }: World) => {
  const list = await dispatcher.notifications(operatorOfTheStore(), { origin: exampleOrigin }).listNotifications()
  if (E.isLeft(list)) throw new Error('not listed')
  return list.right.notices
}

dispatchers(
  'what is owed at the start is sent, and then what it is woken for; the log tells each, and no user',
  async () => {
    const world = begin(answering(done))
    owe(world, 'before')
    world.dispatcher.wake()
    await pause(50)
    assert.is((await listed(world)).length, 1)
    world.dispatcher.start(signToken)
    await until(() => !world.pending.has('before'))
    owe(world, 'after')
    world.dispatcher.wake()
    await until(() => !world.pending.has('after'))
    await world.dispatcher.stop()
    assert.equal(
      world.lines.map((line) => JSON.parse(line)).map(({ level, client_id, notice }) => [level, client_id, notice]),
      [
        ['info', 'shop', 'before'],
        ['info', 'shop', 'after'],
      ],
    )
    assert.not.match(world.lines.join(''), /signed|sub at|sid at/)
  },
)

dispatchers('who wakes it during a pass is not forgotten', async () => {
  const doors: Array<() => void> = []
  const world = begin({
    sendLogoutToken: () => async () => {
      await new Promise<void>((resolve) => doors.push(resolve))
      return done
    },
  })
  owe(world, 'first')
  world.dispatcher.start(signToken)
  await until(() => doors.length === 1)
  owe(world, 'second')
  world.dispatcher.wake()
  world.dispatcher.wake()
  doors[0]?.()
  await until(() => doors.length === 2)
  doors[1]?.()
  await until(() => !world.pending.has('second'))
  await world.dispatcher.stop()
})

dispatchers(
  'a receiver that is back is told of itself, after as long as it asked for; what it refuses is given up',
  async () => {
    const receiver = await startReceiver((response, nth) => {
      if (nth === 0) response.writeHead(503)
      if (nth === 1) response.writeHead(429, { 'Retry-After': '1' })
      if (nth === 3) response.writeHead(400)
      response.end()
    })
    const world = begin(createLogoutSender(reachReceivers), { firstWait: 1 })
    owe(world, 'welcome', receiver.uri)
    world.dispatcher.start(signToken)
    await until(() => !world.pending.has('welcome'))
    assert.equal(tokensOf(receiver), ['signed', 'signed', 'signed'])
    owe(world, 'unwelcome', receiver.uri)
    world.dispatcher.wake()
    await until(async () => (await listed(world)).some(({ state }) => state === 'failed'))
    await world.dispatcher.stop()
    await receiver.stop()
    const { time, ...line } = JSON.parse(world.lines.at(-1) ?? '')
    assert.type(time, 'string')
    const msg = 'an application could not be told of a logout; clientele logouts retry makes it due again'
    const reason = 'the status was 400'
    assert.equal(line, { level: 'warn', client_id: 'shop', notice: 'unwelcome', attempts: 1, reason, msg })
  },
)

dispatchers(
  'an address that is not public is never tried again: the log and the list name the setting, and retry follows it',
  async () => {
    const receiver = await startReceiver()
    const uri = receiver.uri.replace('sector.example', '127.0.0.1')
    const careful = begin(createLogoutSender({ ca: reachReceivers.ca }))
    owe(careful, 'private', uri)
    careful.dispatcher.start(signToken)
    await until(async () => (await listed(careful))[0]?.state === 'failed')
    await careful.dispatcher.stop()
    const [notification] = await listed(careful)
    assert.match(notification?.note ?? '', 'outbound-allowed-networks')
    const lines = careful.lines.map((line) => JSON.parse(line))
    assert.equal(
      lines.map(({ level, client_id, attempts }) => [level, client_id, attempts]),
      [['warn', 'shop', 1]],
    )
    assert.match(lines[0].reason, 'outbound-allowed-networks')
    assert.is(receiver.received.length, 0)

    const allowsAddress = allowingNetworks(['127.0.0.0/8'])
    const allowing = begin(
      createLogoutSender({ ca: reachReceivers.ca, allowsAddress }),
      {},
      { pending: careful.pending },
    )
    allowing.dispatcher.start(signToken)
    await allowing.dispatcher.notifications(operatorOfTheStore(), { origin: exampleOrigin }).retry(O.none)()
    await until(() => !careful.pending.has('private'))
    await allowing.dispatcher.stop()
    assert.equal(tokensOf(receiver), ['signed'])
    await receiver.stop()
  },
)

dispatchers('what was given up is sent again at once when the operator asks for it', async () => {
  const results: Array<DeliveryResult> = [{ kind: 'answered', status: 404, retryAfter: undefined }, done]
  const world = begin({ sendLogoutToken: () => async () => results.shift() ?? done })
  owe(world, 'one')
  world.dispatcher.start(signToken)
  await until(async () => (await listed(world))[0]?.state === 'failed')
  assert.equal(
    await world.dispatcher.notifications(operatorOfTheStore(), { origin: exampleOrigin }).retry(O.some('one'))(),
    E.right({ retried: 1, delivers: true }),
  )
  await until(() => !world.pending.has('one'))
  await world.dispatcher.stop()
})

dispatchers(
  'while outbound fetches are off nothing is sent, and the list says so; what is too old is forgotten',
  async () => {
    const world = begin(undefined, { maxAge: 100 })
    world.pending.add({ ...exampleNotification('old', 'shop'), created_at: secondsAfter(now(), -101) })
    owe(world, 'new')
    world.dispatcher.start(signToken)
    await until(() => !world.pending.has('old'))
    world.dispatcher.wake()
    await pause(100)
    assert.equal(
      (await listed(world)).map(({ id, state, note }) => [id, state, note]),
      [['new', 'waits', 'outbound-fetches is off']],
    )
    await world.dispatcher.stop()
    assert.match(world.lines.join(''), '"forgotten":1')
  },
)

dispatchers('notices that gave way to newer ones are told in one line, and only when there are any', async () => {
  const world = begin(answering(done))
  world.dispatcher.sessionEnded({ gaveWay: 0 })
  world.dispatcher.sessionEnded({ gaveWay: 3 })
  assert.equal(
    world.lines.map((line) => JSON.parse(line)).map(({ level, forgotten }) => [level, forgotten]),
    [['warn', 3]],
  )
  await world.dispatcher.stop()
})

dispatchers('a stop ends no try, waits for it for a while only, and lets no other begin', async () => {
  const begun: Array<string> = []
  const world = begin({
    sendLogoutToken: (uri) => async () => {
      begun.push(uri)
      await pause(uri.endsWith('quick') ? 50 : 20_000)
      return done
    },
  })
  owe(world, 'one', 'https://rp.example/quick')
  owe(world, 'two', 'https://rp.example/quick')
  world.dispatcher.start(signToken)
  await until(() => begun.length === 1)
  await world.dispatcher.stop()
  assert.equal([world.pending.has('one'), world.pending.has('two'), begun.length], [false, true, 1])
  const stuck = begin({
    sendLogoutToken: () => async () => {
      begun.push('stuck')
      return new Promise(() => undefined)
    },
  })
  owe(stuck, 'three')
  stuck.dispatcher.start(signToken)
  await until(() => begun.includes('stuck'))
  const before = performance.now()
  await stuck.dispatcher.stop()
  assert.ok(performance.now() - before < 10_000)
})

dispatchers(
  'a store that fails, or a port that throws, is logged once a pass, and does not end the deliveries',
  async () => {
    const pending = inMemoryPendingNotifications()
    const failing = { store: true }
    const claimDue = (...requested: Parameters<InMemoryPendingNotifications['claimDue']>) =>
      failing.store ? TE.left(unavailable('disk')) : pending.claimDue(...requested)
    const thrown: Array<Error> = [new Error('a defect')]
    const sender: LogoutSender = {
      sendLogoutToken: () => async () => {
        const error = thrown.pop()
        if (error !== undefined) throw error
        return done
      },
    }
    const world = begin(sender, {}, { pending: { ...pending, claimDue } })
    pending.add({ ...exampleNotification('one', 'shop'), created_at: now() })
    world.dispatcher.start(signToken)
    await until(() => world.lines.length === 1)
    failing.store = false
    world.dispatcher.wake()
    await until(() => world.lines.length === 2)
    world.dispatcher.wake()
    await until(() => !pending.has('one'))
    await world.dispatcher.stop()
    assert.equal(
      world.lines.map((line) => JSON.parse(line).level),
      ['error', 'error', 'info'],
    )
  },
)

dispatchers.run()
