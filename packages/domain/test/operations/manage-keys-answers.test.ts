import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { unauditedKeys } from '../../src/operations/roll-over.js'
import { operatorOfTheStore } from '../../src/authorization/credential.js'
import { secondsAfter } from '../../src/kernel/time.js'
import { unavailable } from '../../src/kernel/refusals.js'
import { unreadableKeyRing } from '../../src/ports/store.js'
import { keyRefusal, manageKeys } from '../../src/operations/keys.js'
import { done, law, namedKey, runParameters, exampleOrigin } from '@clientele/testing'
import { beginning, keyService, privateText, publishedRings } from '../support/key-maker.js'

const Answers = suite('manageKeys: what is answered')
const it = law(Answers)

const policy = { lifetime: 1_000, publishAhead: 100, retention: 50, maxAge: 40 }
const settings = { policy, signingAlgorithms: ['ES256', 'EdDSA'] }

const names = fc.array(fc.string({ unit: 'binary' }), { maxLength: 4 })
const failure = fc.oneof(
  names.map((known) => ({ error: 'unknown_algorithm', known }) as const),
  names.map((known) => ({ error: 'unknown_kid', known }) as const),
  fc.nat().map((seconds) => ({ error: 'roll_over_under_way', signsFrom: secondsAfter(beginning, seconds) }) as const),
  fc.string({ unit: 'binary' }).map((kid) => ({ error: 'kid_known', kid }) as const),
)

const texts = new Map<string, string>()

it(
  'the text of a refusal is fixed ASCII, whatever it is about; the names that there are stand beside it',
  [failure],
  (what) => {
    const refusal = keyRefusal(what)
    assert.is(refusal.error, what.error)
    if (refusal.error === 'unavailable') return assert.unreachable('it is not the store')
    assert.match(refusal.error_description, /^[\x20-\x7E]+$/)
    assert.is(refusal.error_description, texts.get(what.error) ?? refusal.error_description)
    texts.set(what.error, refusal.error_description)
    const known = 'kid' in what ? [what.kid] : undefined
    assert.equal(refusal.known, 'known' in what ? what.known : known)
    assert.is(refusal.signs_from, 'signsFrom' in what ? what.signsFrom : undefined)
  },
)

Answers('what the store cannot do is unavailable, with a detail for the log', () => {
  assert.equal(keyRefusal(unavailable('disk')), unavailable('disk'))
  const unreadable = keyRefusal(unreadableKeyRing('ES256'))
  assert.is(unreadable.error, 'unavailable')
  assert.match('detail' in unreadable ? String(unreadable.detail) : '', 'ES256')
})

const kid = fc.constantFrom('ES256-0', 'EdDSA-1', 'RSA-OAEP-256-2', 'ES256-3', 'EdDSA-4', 'imported-0', 'nobody')
const alg = fc.constantFrom('ES256', 'EdDSA', 'RSA-OAEP-256', 'RS256', undefined)
const request = fc.oneof(
  fc.nat(1_200).map((seconds) => ({ kind: 'waits', seconds }) as const),
  fc.record({ kind: fc.constant('rolls over' as const), alg, dryRun: fc.boolean() }),
  fc.record({ kind: fc.constant('compromises' as const), kid, dryRun: fc.boolean() }),
  fc.nat(2).map((index) => ({ kind: 'imports', index }) as const),
)
type Request = typeof request extends fc.Arbitrary<infer Value> ? Value : never

const answered = async (requests: ReadonlyArray<Request>) => {
  const service = keyService()
  await done(publishedRings(settings, { ...unauditedKeys, ...service.ports }))
  const keys = manageKeys(settings, service.ports)(operatorOfTheStore(), { origin: exampleOrigin })
  const answerTo = (requested: Request): Promise<E.Either<unknown, unknown>> => {
    switch (requested.kind) {
      case 'waits':
        service.clock.at = secondsAfter(service.clock.at, requested.seconds)
        return publishedRings(settings, { ...unauditedKeys, ...service.ports })().then(E.map(() => undefined))
      case 'rolls over':
        return keys.rollOver({
          ...(requested.alg === undefined ? {} : { alg: requested.alg }),
          dryRun: requested.dryRun,
        })()
      case 'compromises':
        return keys.revoke(requested)()
      case 'imports':
        return keys.importKeys({
          keys: [{ alg: 'EdDSA', keys: [namedKey(`imported-${requested.index}`)] }],
          dryRun: false,
        })()
    }
  }
  const answers: Array<unknown> = []
  for (const each of requests) answers.push(await answerTo(each), await keys.listKeys())
  return { answers: JSON.stringify(answers), stored: JSON.stringify(await service.stored()) }
}

Answers('no answer, nor any refusal, has anything of a private half', () =>
  fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 12 }), async (requests) => {
      const { answers, stored } = await answered(requests)
      assert.ok(stored.includes(privateText))
      assert.not(answers.includes(privateText))
      assert.not(answers.includes('privateKey'))
    }),
    runParameters(),
  ),
)

Answers.run()
