import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { setImmediate } from 'node:timers/promises'
import { mock } from 'node:test'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load-config.js'
import { createPresence } from '../../src/running/presence.js'
import { createLog } from '../../src/observing/log.js'
import { hashOfSha256 } from '@clientele/adapters-jose/node'
import type { Instances } from '@clientele/domain/ports'

const Presence = suite('presence of an instance')

Presence.before.each(() => mock.timers.enable({ apis: ['setTimeout', 'setInterval'] }))
Presence.after.each(() => mock.timers.reset())

const log = createLog('error', { write: () => undefined, writableLength: 0 })

const newPresence = () => {
  const loaded = loadConfig({ flags: {}, environment: {}, readFile: () => E.left('ENOENT') })
  if (E.isLeft(loaded)) throw new Error('the settings are faulty')
  return createPresence(loaded.right.config, log)
}

const digestKey = 'a digest key'
const secrets = {
  digestKey,
  masterTokens: [hashOfSha256(digestKey)(Buffer.alloc(32))] as const,
  encryptionKeys: [Buffer.alloc(32)],
}

/** A database that answers the first announcement at once, and others when they are answered. */
const slowInstances = () => {
  const events: Array<string> = []
  const waiting: Array<() => void> = []
  const answer = () => E.right({ announced_at: Date.now(), differences: [] })
  const instances: Instances = {
    announceInstance: () => async () => {
      events.push('announce')
      if (events.length > 1) await new Promise<void>((resolve) => waiting.push(resolve))
      return answer()
    },
    withdrawInstance: () => TE.fromIO(() => void events.push('withdraw')),
    listInstances: TE.right([]),
  }
  return { events, instances, answerAll: () => waiting.splice(0).forEach((resolve) => resolve()) }
}

Presence('the next announcement waits for the one before, and the withdrawal is the last', async () => {
  const { events, instances, answerAll } = slowInstances()
  const presence = newPresence()
  assert.ok(E.isRight(await presence.admit(instances, secrets)()))
  mock.timers.tick(10_000)
  await setImmediate()
  mock.timers.tick(60_000)
  await setImmediate()
  assert.equal(events, ['announce', 'announce'])
  answerAll()
  await setImmediate()
  mock.timers.tick(10_000)
  await setImmediate()
  assert.equal(events, ['announce', 'announce', 'announce'])
  const stopped = presence.stop()
  await setImmediate()
  assert.is(events.includes('withdraw'), false)
  answerAll()
  await stopped
  mock.timers.tick(60_000)
  await setImmediate()
  assert.equal(events, ['announce', 'announce', 'announce', 'withdraw'])
})

Presence.run()
