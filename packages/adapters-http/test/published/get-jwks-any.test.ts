import { type EpochSeconds, secondsAfter } from '@clientele/domain/kernel'
import {
  type GeneratedKey,
  type KeyPolicy,
  type KeyRing,
  type KeyUse,
  advance,
  keysOf,
  needsSuccessor,
  newRing,
  nextChange,
  revoke,
  rollOver,
} from '@clientele/domain/keys'
import { publishJwkSet } from '@clientele/domain/operations'
import { keyEvent, keyPolicy, namedKey, type KeyEvent } from '@clientele/testing'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { HttpResponse } from '../../src/http/response.js'
import { getJwks } from '../../src/routes/published.js'
import { httpRequest } from '../support/http-request.js'
import { at } from '../support/in-memory-ports.js'
import { tellsNothing } from '../support/keys.js'

const jwks = suite('GET /jwks.json, in every history')

type Lived = { readonly at: EpochSeconds; readonly policy: KeyPolicy; readonly ring: KeyRing; readonly made: number }

const secretOf = (kid: string): string => Buffer.from(`only ${kid} has it`).toString('base64url')

// A key with a private half; tests search for each of its values.
const keyNamed = (kid: string): GeneratedKey => {
  const { jwk } = namedKey(kid)
  return { kid, jwk, privateKey: JSON.stringify({ ...jwk, d: secretOf(kid), qi: secretOf(`${kid}, too,`) }) }
}

const generated = ({ ring, made }: Lived): GeneratedKey => keyNamed(`${ring.alg}-${made}`)

const replaced = (now: Lived, next: E.Either<unknown, KeyRing>): Lived =>
  E.isRight(next) ? { ...now, ring: next.right, made: now.made + 1 } : now

const stored = (now: Lived): Lived => {
  const ring = advance(now.policy, now.at)(now.ring)
  const advanced = { ...now, ring }
  if (!needsSuccessor(now.policy, now.at)(ring)) return advanced
  return replaced(advanced, rollOver(now.policy, now.at)(ring, generated(now)))
}

const lived = (now: Lived, event: KeyEvent): Lived => {
  switch (event.kind) {
    case 'runs':
    case 'is down':
    case 'sleeps':
      return stored({ ...now, at: secondsAfter(now.at, event.seconds) })
    case 'rolls over':
      return replaced(now, rollOver(now.policy, now.at)(now.ring, generated(now)))
    case 'compromises': {
      const keys = keysOf(now.ring)
      const { key } = keys[event.index % keys.length] ?? { key: now.ring.current.key }
      const outcome = revoke(now.at)(now.ring, key.kid, generated(now))
      return replaced(
        now,
        pipe(
          outcome,
          E.map(({ ring }) => ring),
        ),
      )
    }
    case 'restarts with':
      return stored({ ...now, policy: event.policy })
  }
}

const life = (alg: string, use: KeyUse): fc.Arbitrary<Lived> =>
  fc.tuple(keyPolicy(), fc.array(keyEvent(), { maxLength: 20 })).map(([policy, events]) => {
    const ring = newRing(policy, at)(alg, use, keyNamed(`${alg}-0`))
    return events.reduce<Lived>(lived, { at, policy, ring, made: 1 })
  })

const lives = fc.tuple(life('ES256', 'sig'), life('EdDSA', 'sig'), life('RSA-OAEP-256', 'enc'))

const answered = async (policy: KeyPolicy, rings: ReadonlyArray<KeyRing>, now: EpochSeconds): Promise<HttpResponse> => {
  const publish = publishJwkSet(policy)(rings, [])
  const handler = getJwks({ publishedJwkSet: () => publish({ at: now, age: 0 }) })
  return handler(httpRequest())
}

const textOf = ({ body }: HttpResponse): string => (body.kind === 'text' ? body.text : '')

const always = (statement: string, holds: (all: ReadonlyArray<Lived>) => Promise<void>): void =>
  jwks(statement, () => fc.assert(fc.asyncProperty(lives, holds), { numRuns: 300 }))

const known = ['kty', 'crv', 'x', 'y', 'n', 'e', 'kid', 'use', 'alg']

always('no private half of a key that there is or was is in the bytes, nor any member beside', async (all) => {
  const secrets = all.flatMap(({ ring, made }) =>
    Array.from({ length: made + 1 }, (_, index) => `${ring.alg}-${index}`).flatMap((kid) => [
      secretOf(kid),
      secretOf(`${kid}, too,`),
    ]),
  )
  for (const { at: now, policy } of all) {
    const text = textOf(
      await answered(
        policy,
        all.map(({ ring }) => ring),
        now,
      ),
    )
    tellsNothing(text, secrets)
    JSON.parse(text, (name: string, value: unknown) => {
      if (name !== '' && name !== 'keys' && !/^\d+$/.test(name)) assert.ok(known.includes(name), name)
      return value
    })
  }
})

const kidsOf = (text: string): ReadonlyArray<string> => {
  const { keys } = JSON.parse(text) as { readonly keys: ReadonlyArray<{ readonly kid: string }> }
  return keys.map(({ kid }) => kid)
}

always(
  'every key that signs, will sign or has signed is in it, and of those to encrypt to the present one',
  async (all) => {
    for (const { ring, policy, at: now } of all) {
      const expected = ring.use === 'enc' ? [ring.current.key.kid] : keysOf(ring).map(({ key }) => key.kid)
      assert.equal(kidsOf(textOf(await answered(policy, [ring], now))), expected)
    }
  },
)

always(
  'it is never kept past the next change of any ring, nor longer than the policy says or a ring promises',
  async (all) => {
    const rings = all.map(({ ring }) => ring)
    for (const { at: now, policy } of all) {
      const { headers } = await answered(policy, rings, now)
      const age = Number(/^public, max-age=(\d+)$/.exec(headers['Cache-Control'] ?? '')?.[1])
      const changes = rings.map((ring) => Math.max(0, nextChange(policy, ring) - now))
      const promised = rings.map((ring) => ring.promised.maxAge)
      assert.is(age, Math.min(policy.maxAge, ...promised, ...changes))
    }
  },
)

jwks.run()
