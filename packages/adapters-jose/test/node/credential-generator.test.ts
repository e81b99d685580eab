import fc from 'fast-check'
import { ClientId } from '@clientele/domain/client'
import { EpochSeconds } from '@clientele/domain/kernel'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createCredentialGenerator, hashToken, randomAlphanumeric } from '../../src/node/credentials.js'

const hash = hashToken('digest key')

const generator = suite('fresh values')

generator(
  'client_id, client_secret and tokens are alphanumeric and of the configured lengths (specification 2.2)',
  () => {
    const length = fc.integer({ min: 16, max: 128 })
    fc.assert(
      fc.property(length, length, length, (clientId, clientSecret, registrationAccessToken) => {
        const ports = createCredentialGenerator({ clientId, clientSecret, registrationAccessToken }, hash)
        const { client_id, client_secret, registration_access_token } = ports.issue()
        const values = [client_id, client_secret, registration_access_token.token, ports.initialAccessToken().token]
        assert.equal(
          values.map((value) => value.length),
          [clientId, clientSecret, registrationAccessToken, registrationAccessToken],
        )
        return values.every((value) => /^[A-Za-z0-9]+$/.test(value)) && ClientId.is(client_id)
      }),
    )
  },
)

generator('a registration_id has 128 bits and more, whatever the configured lengths, and none is drawn twice', () => {
  const ports = createCredentialGenerator({ clientId: 16, clientSecret: 16, registrationAccessToken: 16 }, hash)
  const drawn = Array.from({ length: 1_000 }, () => ports.issue().registration_id)
  assert.ok(drawn.every((each) => /^[A-Za-z0-9]{22}$/.test(each)))
  assert.is(new Set(drawn).size, 1_000)
})

generator('a token comes with the hash by which it is recognized', () => {
  const ports = createCredentialGenerator({ clientId: 20, clientSecret: 43, registrationAccessToken: 43 }, hash)
  const issued = ports.issue().registration_access_token
  const initial = ports.initialAccessToken()
  assert.is(issued.hash, hash(issued.token))
  assert.is(initial.hash, hash(initial.token))
})

generator('an id is drawn as a whole', () => {
  const ports = createCredentialGenerator({ clientId: 20, clientSecret: 43, registrationAccessToken: 43 }, hash)
  const drawn = Array.from({ length: 1_000 }, () => ports.issue().client_id.slice(0, 8))
  assert.is(new Set(drawn).size, 1_000)
})

generator('the time is in whole seconds since the epoch', () => {
  const ports = createCredentialGenerator({ clientId: 20, clientSecret: 43, registrationAccessToken: 43 }, hash)
  const before = Math.floor(Date.now() / 1000)
  const now = ports.now()
  const after = Math.floor(Date.now() / 1000)
  assert.ok(EpochSeconds.is(now) && before <= now && now <= after)
})

generator('a value is as long as is asked for, however long that is', () => {
  for (const length of [0, 1, 43, 44, 256, 100_000]) assert.is(randomAlphanumeric(length).length, length)
})

generator('no value repeats in 100,000', () => {
  assert.is(new Set(Array.from({ length: 100_000 }, () => randomAlphanumeric(20))).size, 100_000)
})

generator('every character is equally likely: chi-square over 620,000 draws is within what chance allows', () => {
  const counts = new Map<string, number>()
  for (const character of randomAlphanumeric(620_000)) counts.set(character, (counts.get(character) ?? 0) + 1)
  assert.is(counts.size, 62)
  const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0)
  // 61 degrees of freedom: chance exceeds 140 less than once in ten million runs; bytes modulo 62 give about 20,000.
  assert.ok(chiSquare < 140, String(chiSquare))
})

generator.run()
