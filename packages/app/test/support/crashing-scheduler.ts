// Rotates and uses keys on a clock of its own, reports the published set and signatures, and kills itself at a step of a
// roll-over:
//   crashing-scheduler.ts FILE START-SECOND TICKS STEP WHICH
import { type KeyRotationPorts, createKeyMaker, createTokenSigner } from '@clientele/adapters-jose'
import { openStore } from '@clientele/adapters-sqlite'
import { epochSeconds, secondsAfter } from '@clientele/domain/kernel'
import { type KeyRing, publishedKeys } from '@clientele/domain/keys'
import { createTurns, unaudited } from '@clientele/domain/operations'
import { noPauses, noRow } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { startKeyRotation } from '../../src/running/key-rotation.js'
import { createLog } from '../../src/observing/log.js'
import { createEncryption } from '@clientele/adapters-jose/node'

const [file = '', start = '', ticks = '', step = '', which = ''] = process.argv.slice(2)
const policy = { lifetime: 150, publishAhead: 60, retention: 45, maxAge: 20 }
const secondsOfTick = 15
const settings = { policy, signingAlgorithms: ['ES256'] }

// Written synchronously, before the process can end.
const say = (event: object): void => void writeSync(1, `${JSON.stringify(event)}\n`)

const reached = new Map<string, number>()

/** The process dies here, as by kill -9, at this step and time. */
const dieAt = (name: string): void => {
  const times = (reached.get(name) ?? 0) + 1
  reached.set(name, times)
  if (name !== step || times !== Number(which)) return
  say({ died: name })
  process.kill(process.pid, 'SIGKILL')
}

const atStep =
  (name: string) =>
  <Failure, Value>(operation: TE.TaskEither<Failure, Value>): TE.TaskEither<Failure, Value> =>
    pipe(
      operation,
      TE.tapIO(() => () => dieAt(name)),
    )

let now = epochSeconds(Number(start) * 1000)
const store = await openStore({
  file,
  now: () => now,
  encryption: createEncryption(Buffer.alloc(32, 7), []),
  generateKey: () => Buffer.alloc(32, 9).toString('base64url'),
  onFatal: (reason) => say({ fatal: String(reason) }),
})()
if (E.isLeft(store)) throw new Error(store.left.message)
const { keyRings: rings } = store.right
const { makeKey } = createKeyMaker()

const ports: KeyRotationPorts = {
  ...unaudited,
  ...store.right.foreignKeys,
  ...store.right.leases,
  ...createTurns(noPauses),
  ...rings,
  replaceKeyRings: (changes, decidedAt) => {
    dieAt('before store')
    return atStep('store')(rings.replaceKeyRings(changes, decidedAt, noRow))
  },
  makeKey: (alg) => atStep('generate')(makeKey(alg)),
  now: () => now,
  identifier: randomUUID,
}

const retired = (each: ReadonlyArray<KeyRing>): number => each.flatMap((ring) => ring.retired).length
const kidsOf = (each: ReadonlyArray<KeyRing>): ReadonlyArray<string> => publishedKeys(each).keys.map(({ kid }) => kid)

const rotation = await startKeyRotation({ settings, ports, log: createLog('error', process.stderr) })()
if (E.isLeft(rotation)) throw new Error(rotation.left)
const { keyRings, reconcile, stop } = rotation.right
const signing = { issuer: 'https://op.example', policy }
const { signToken } = createTokenSigner(signing, { ...rotation.right, now: () => now })

for (let tick = 0; tick < Number(ticks); tick += 1) {
  const before = keyRings()
  if (tick > 0) await reconcile()
  say({ at: now, keys: publishedKeys(keyRings()).keys })
  if (kidsOf(keyRings()).some((kid) => !kidsOf(before).includes(kid))) dieAt('publish')
  if (retired(keyRings()) > retired(before)) dieAt('retire')
  if (retired(keyRings()) < retired(before)) dieAt('forget')
  const expiresAt = secondsAfter(now, policy.retention)
  const token = await signToken({ alg: 'ES256', typ: 'JWT', claims: {}, expiresAt })()
  if (E.isLeft(token)) throw new Error(token.left.error)
  say({ at: now, token: token.right, exp: expiresAt })
  dieAt('use')
  now = secondsAfter(now, secondsOfTick)
}
await stop()
await store.right.close()
