// The uses of client_secrets that wait to be written: none is lost while the process runs, and they are bounded.
import { TokenHash } from '@clientele/domain/authorization'
import { exampleTime } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import { createHash } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createLog } from '../../src/observing/log.js'
import { createSecretUseWriter } from '../../src/running/background.js'
import { createSecretUseObserver } from '../../src/running/secret-uses.js'

const uses = suite('the uses of client_secrets')

const hashOf = (text: string): TokenHash => {
  const digest = createHash('sha256').update(text).digest('base64url')
  if (!TokenHash.is(digest)) throw new Error(digest)
  return digest
}
const log = createLog('silent', { write: () => true, writableLength: 0 })
const registrationOf = (number: number) =>
  ({ client_id: `client-${number}`, registration_id: `registration-${number}` }) as Parameters<
    ReturnType<typeof createSecretUseObserver>['useSecret']
  >[0]

const observedTimes = (count: number) => {
  const observer = createSecretUseObserver(() => exampleTime, hashOf)
  for (let number = 0; number < count; number += 1) observer.useSecret(registrationOf(number), 'secret')
  return observer
}

uses('a regular end writes all of them, whatever fits into one write', async () => {
  const written: Array<number> = []
  const observer = observedTimes(450)
  const writer = createSecretUseWriter(
    observer,
    {
      recordSecretUses: (some) => () => Promise.resolve(E.right(void written.push(some.length))),
      findSecretUses: () => () => Promise.resolve(E.right(new Map())),
    },
    log,
  )
  writer.start()
  await writer.stop()
  assert.is(
    written.reduce((sum, each) => sum + each, 0),
    450,
  )
  assert.ok(written.every((each) => each <= 200))
})

uses('what could not be written is written by the next pass', async () => {
  const answers = [E.left({ error: 'unavailable' as const, detail: 'planted' }), E.right(undefined), E.right(undefined)]
  const written: Array<string> = []
  const observer = observedTimes(2)
  const writer = createSecretUseWriter(
    observer,
    {
      recordSecretUses: (some) => () => {
        const answer = answers.shift() ?? E.right(undefined)
        if (E.isRight(answer)) written.push(...some.map(({ client }) => client.client_id))
        return Promise.resolve(answer)
      },
      findSecretUses: () => () => Promise.resolve(E.right(new Map())),
    },
    log,
  )
  await writer.stop()
  assert.equal(written, [])
  await writer.stop()
  assert.equal(written, ['client-0', 'client-1'])
})

uses('a use is taken once a day, and those that wait are bounded', () => {
  const observer = observedTimes(25_000)
  const taken: Array<string> = []
  for (let some = observer.take(); some.length > 0; some = observer.take())
    taken.push(...some.map(({ client }) => client.client_id))
  assert.is(taken.length, 10_000)
  assert.is(new Set(taken).size, taken.length)
})

uses.run()
