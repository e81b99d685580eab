import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { secondsAfter } from '../../src/kernel/time.js'
import { unavailable } from '../../src/kernel/refusals.js'
import {
  type DeliveryPolicy,
  type DeliveryResult,
  type PendingNotification,
  defaultDelivery,
} from '../../src/logout/notifications.js'
import { deliverNotifications, purgeNotifications } from '../../src/operations/notifications.js'
import { done, exampleNotification, exampleTime, refused } from '@clientele/testing'
import {
  type LogoutWorld,
  type Refused,
  always,
  answered,
  claimedByAnother,
  deliverySettings,
  logoutWorld,
  owe,
  oweMany,
  unanswered,
} from '../support/logout-world.js'

const Deliver = suite('deliverNotifications')

const pass = ({ ports }: LogoutWorld, policy: Partial<DeliveryPolicy> = {}): Promise<number> =>
  done(deliverNotifications(deliverySettings(policy), ports))

const stored = (world: LogoutWorld): Promise<ReadonlyArray<PendingNotification>> =>
  done(world.pendingNotifications.listNotifications(1_000))

Deliver('what is due is sent with a token of its own, told and forgotten; what is not due waits', async () => {
  const world = logoutWorld(always(answered(200)))
  owe(world, 'now', 'shop')
  world.pendingNotifications.add({ ...exampleNotification('later', 'shop'), created_at: secondsAfter(exampleTime, 1) })
  assert.is(await pass(world), 1)
  assert.equal(
    (await stored(world)).map(({ id }) => id),
    ['later'],
  )
  assert.equal(
    world.sent.map(({ host, token }) => [host, token.typ, token.claims['aud'], token.claims['sid']]),
    [['shop.example', 'logout+jwt', 'shop', 'sid at shop']],
  )
  assert.equal(
    world.reported.map(([{ id }, tried]) => [id, tried.kind]),
    [['now', 'delivered']],
  )
  assert.is(await pass(world), 0)
})

Deliver('each try has a jti of its own', async () => {
  const world = logoutWorld(always(answered(500)))
  owe(world, 'one', 'shop')
  await pass(world)
  world.clock.at = secondsAfter(world.clock.at, defaultDelivery.firstWait)
  await pass(world)
  assert.is(new Set(world.sent.map(({ token }) => token.claims['jti'])).size, 2)
})

Deliver('a receiver is one scheme, host and port, however its URIs are written', async () => {
  const world = logoutWorld(async () => {
    await Promise.resolve()
    return answered(200)
  })
  for (const [id, host] of Object.entries({
    a: 'rp.example',
    b: 'RP.example',
    c: 'rp.example:443',
    d: 'rp.example:8443',
  }))
    owe(world, id, 'shop', host)
  await pass(world)
  assert.equal([world.sent.length, world.most.inAll], [4, 2])
})

Deliver(
  'what can never be sent has failed at once, by the name of the algorithm, and no connection is made',
  async () => {
    const refusals: Readonly<Record<string, Refused>> = {
      EdDSA: { error: 'no_such_ring', known: ['RS256'] },
      none: { error: 'no_such_ring', known: ['RS256'] },
      PS512: { error: 'ring_closed' },
    }
    const world = logoutWorld(always(answered(200)))
    for (const [alg, refusal] of Object.entries(refusals)) {
      world.refusing.set(alg, refusal)
      world.pendingNotifications.add({ ...exampleNotification(alg, 'shop'), alg })
    }
    owe(world, 'sound', 'shop')
    await pass(world)
    assert.equal(
      world.sent.map(({ id }) => id),
      ['sound'],
    )
    assert.equal(
      (await stored(world)).map(({ failed, note }) => [failed, note]),
      Object.keys(refusals).map((alg) => [true, `no key signs with ${alg}: see signing-algorithms`]),
    )
  },
)

Deliver('a URI that would not be registered today is not used', async () => {
  const world = logoutWorld(always(answered(200)))
  for (const uri of [
    'http://rp.example/',
    'https://rp.example/#a',
    'https://u@rp.example/',
    'https://127.1/',
    'https://rp.example:22/',
    'nowhere',
    '',
  ])
    world.pendingNotifications.add({ ...exampleNotification(`at ${uri}`, 'shop'), uri })
  await pass(world)
  assert.is(world.sent.length, 0)
  for (const { failed, note } of await stored(world))
    assert.equal([failed, note], [true, 'backchannel_logout_uri would not be registered today'])
})

Deliver('http on loopback is used while the base URL is on loopback, whatever it was at registration', async () => {
  for (const [isOnLoopback, sent] of [
    [true, 1],
    [false, 0],
  ] as const) {
    const world = logoutWorld(always(answered(200)))
    world.pendingNotifications.add({ ...exampleNotification('one', 'shop'), uri: 'http://localhost:8081/out' })
    await done(deliverNotifications({ ...deliverySettings(), isOnLoopback }, world.ports))
    assert.equal(
      [world.sent.length, (await stored(world)).map(({ failed }) => failed)],
      [sent, sent === 1 ? [] : [true]],
    )
  }
})

Deliver('a ring that is not open yet is waited for, and no try is counted', async () => {
  const world = logoutWorld(always(answered(200)))
  const opensAt = secondsAfter(exampleTime, 600)
  world.refusing.set('RS256', { error: 'ring_not_open', opensAt })
  owe(world, 'one', 'shop')
  await pass(world)
  const [entry] = await stored(world)
  assert.equal([entry?.attempts, entry?.due_at, entry?.note], [0, opensAt, 'the key of RS256 does not sign yet'])
  world.clock.at = opensAt
  world.refusing.clear()
  await pass(world)
  assert.equal(await stored(world), [])
})

Deliver('when the signer fails, no try is counted, and the others of the receiver are tried as well', async () => {
  const world = logoutWorld(always(answered(200)))
  world.refusing.set('ES256', unavailable(new Error('-----BEGIN PRIVATE KEY-----')))
  world.pendingNotifications.add({ ...exampleNotification('broken', 'shop'), alg: 'ES256' })
  owe(world, 'sound', 'shop')
  await pass(world)
  assert.equal(
    (await stored(world)).map(({ attempts, note }) => [attempts, note]),
    [[0, 'the logout token could not be signed']],
  )
})

Deliver(
  'what this service cannot send is asked for once a receiver, counts for nothing, and is sent soon',
  async () => {
    const unsent: DeliveryResult = { kind: 'unsent', reason: 'no address within 5000 ms' }
    const isUp = { now: false }
    const world = logoutWorld(async ({ host }) => (host === 'slow.example' && !isUp.now ? unsent : answered(200)))
    oweMany(world, 'slow', 20)
    oweMany(world, 'sound', 20)
    await pass(world)
    assert.equal([world.sent.length, (await stored(world)).length], [21, 20])
    const { minUnsentWait } = defaultDelivery
    for (const { attempts, due_at, note } of await stored(world))
      assert.equal([attempts, due_at, note], [0, exampleTime + minUnsentWait, 'not sent: no address within 5000 ms'])
    for (let passes = 0; passes < 20; passes += 1) {
      world.clock.at = secondsAfter(world.clock.at, defaultDelivery.maxUnsentWait)
      await pass(world)
    }
    assert.ok((await stored(world)).every(({ attempts, failed }) => attempts === 0 && !failed))
    isUp.now = true
    world.clock.at = secondsAfter(world.clock.at, defaultDelivery.maxUnsentWait)
    await pass(world)
    assert.equal(await stored(world), [])
  },
)

Deliver('a dead receiver holds up no other one, and burns none of the tries of its own notices', async () => {
  const doors: Array<() => void> = []
  // It gives up only after all other receivers are notified.
  const world = logoutWorld(async ({ host }) => {
    if (!host.startsWith('dead')) return answered(200)
    await new Promise<void>((resolve) => doors.push(resolve))
    return unanswered
  })
  const concurrency = 4
  for (const dead of ['dead1', 'dead2', 'dead3']) oweMany(world, dead, 20)
  for (const alive of ['alive1', 'alive2', 'alive3', 'alive4']) oweMany(world, alive, 20)
  const passing = pass(world, { concurrency })
  while (world.sent.length < 83) await new Promise((resolve) => setTimeout(resolve, 1))
  assert.is((await stored(world)).length, 60)
  doors.forEach((open) => open())
  await passing
  const left = await stored(world)
  assert.equal(
    [left.length, left.reduce((sum, { attempts }) => sum + attempts, 0), world.most.inAll],
    [60, 3, concurrency],
  )
  for (const { due_at } of left) assert.is(due_at, exampleTime + defaultDelivery.firstWait)
  assert.is(left.filter(({ note }) => note === 'waits for its receiver: no answer within 5000 ms').length, 57)
})

Deliver('a notice that its receiver cannot take does not keep the others for long', async () => {
  const world = logoutWorld(async ({ id }) => answered(id === 'shop-0' ? 500 : 200))
  oweMany(world, 'shop', 10)
  await pass(world)
  world.clock.at = secondsAfter(world.clock.at, defaultDelivery.firstWait)
  await pass(world)
  assert.equal(
    (await stored(world)).map(({ id, attempts }) => [id, attempts]),
    [['shop-0', 2]],
  )
})

Deliver('a slow receiver is left when the time of the pass is over, and goes to the end of the line', async () => {
  const world: LogoutWorld = logoutWorld(async ({ host }) => {
    if (host === 'slow.example') world.clock.at = secondsAfter(world.clock.at, 2)
    return answered(200)
  })
  const most = { maxInPass: 10, passLength: 5 }
  oweMany(world, 'slow', 30)
  owe(world, 'quick', 'quick')
  for (let passes = 0; passes < 4; passes += 1) await pass(world, most)
  const ids = world.sent.map(({ id }) => id)
  assert.ok(ids.includes('quick'), ids.join())
  assert.ok((await stored(world)).every(({ attempts, note }) => attempts === 0 && note === ''))
})

Deliver('after the stop no further try begins: one that began is recorded, and the others have no claim', async () => {
  const world: LogoutWorld = logoutWorld(async () => {
    world.clock.stopping = true
    return answered(200)
  })
  oweMany(world, 'shop', 5)
  await pass(world)
  const left = await stored(world)
  assert.equal([world.sent.length, left.length], [1, 4])
  assert.ok(left.every(({ due_at, note }) => due_at === exampleTime && note === ''))
  assert.equal(await claimedByAnother(world), left)
})

Deliver('a receiver that another instance has claimed is left to it, until its claim ends', async () => {
  const world = logoutWorld(always(answered(200)))
  owe(world, 'first', 'shop')
  await claimedByAnother(world)
  owe(world, 'second', 'shop')
  owe(world, 'elsewhere', 'mail')
  assert.is(await pass(world), 1)
  world.clock.at = secondsAfter(exampleTime, defaultDelivery.claimLength)
  assert.is(await pass(world), 2)
  assert.equal(
    world.sent.map(({ id }) => id),
    ['elsewhere', 'first', 'second'],
  )
})

Deliver('an instance that was suspended begins no try after its claims, and records nothing over another', async () => {
  const world: LogoutWorld = logoutWorld(async () => {
    world.clock.at = secondsAfter(world.clock.at, defaultDelivery.claimLength)
    await claimedByAnother(world)
    return answered(200)
  })
  oweMany(world, 'shop', 5)
  const before = await stored(world)
  await pass(world)
  assert.equal([world.sent.length, await stored(world)], [1, before])
  assert.is(await pass(world), 0)
})

Deliver('a store that fails ends the turn of each receiver after one try, which is sent again', async () => {
  const world = logoutWorld(always(answered(200)))
  oweMany(world, 'shop', 5)
  oweMany(world, 'other', 5)
  const broken = { ...world.ports, recordTries: () => TE.left(unavailable('disk full')) }
  assert.is((await refused(deliverNotifications(deliverySettings(), broken))).error, 'unavailable')
  assert.equal([world.sent.length, world.reported.length], [2, 0])
  await pass(world)
  assert.equal([world.sent.length, (await stored(world)).length], [12, 0])
})

Deliver('what is too old is forgotten', async () => {
  const world = logoutWorld(always(answered(200)))
  owe(world, 'old', 'shop')
  const { maxAge } = defaultDelivery
  for (const [seconds, forgotten] of [
    [0, 0],
    [maxAge, 0],
    [maxAge + 1, 1],
  ] as const) {
    world.clock.at = secondsAfter(exampleTime, seconds)
    const ports = { ...world.pendingNotifications, now: world.ports.now }
    assert.is(await done(purgeNotifications(deliverySettings(), ports)), forgotten)
  }
})

Deliver.run()
