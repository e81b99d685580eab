import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Operator, operatorOfTheStore } from '../../../src/authorization/operator.js'
import type { PresentedCredential } from '../../../src/authorization/credential.js'
import { secondsAfter } from '../../../src/codec/epoch-seconds.js'
import { unavailable } from '../../../src/errors.js'
import { inMemoryStore } from '@clientele/adapters-memory'
import { noLimits } from '../../../src/ports/client-registry.js'
import { exampleClient, exampleTime, exampleToken, done, presentedCredential, law } from '@clientele/testing'
import { requireOperator } from '../../../src/use-cases/steps/require-operator.js'

const Operators = suite('requireOperator')

const client = exampleClient('a')
const token = exampleToken('one')

const world = async (passed = 0) => {
  const { registry, initialAccessTokens } = inMemoryStore()
  await done(registry.addClient(client, O.none, noLimits))
  await done(initialAccessTokens.addInitialAccessToken(token, exampleTime))
  return { ...registry, ...initialAccessTokens, now: () => secondsAfter(exampleTime, passed) }
}

const outcome = async (credential: PresentedCredential, passed?: number): Promise<string> => {
  const required = await requireOperator(await world(passed))(credential)()
  return E.isRight(required) ? 'operator' : required.left.error
}

law(Operators)('the master token shows the operator, and nothing else does', [presentedCredential()], async (any) => {
  assert.is((await outcome(any)) === 'operator', any.kind === 'master')
})

Operators('a token that counts elsewhere permits too little; one that counts nowhere is invalid', async () => {
  const registration: PresentedCredential = { kind: 'token', hash: client.registration_access_token.hash }
  const initial: PresentedCredential = { kind: 'token', hash: token.hash }
  assert.is(await outcome(registration), 'insufficient_scope')
  assert.is(await outcome(initial), 'insufficient_scope')
  assert.is(await outcome(initial, token.expires_at - exampleTime), 'invalid_token')
  assert.is(await outcome({ kind: 'unusable' }), 'invalid_token')
  assert.is(await outcome({ kind: 'none' }), 'missing_token')
})

Operators('a store that cannot answer makes nobody the operator', async () => {
  const ports = { ...(await world()), findInitialAccessToken: () => TE.left(unavailable('disk')) }
  const required = await requireOperator(ports)({ kind: 'token', hash: token.hash })()
  assert.ok(E.isLeft(required) && required.left.error === 'unavailable')
})

type IsOperator<Value> = Value extends Operator ? true : false

Operators('a credential, or an object of the same shape, is no operator to the compiler', () => {
  const ofCredential: IsOperator<PresentedCredential> = false
  const ofObject: IsOperator<{ readonly kind: 'master' }> = false
  const ofMaker: IsOperator<ReturnType<typeof operatorOfTheStore>> = true
  assert.equal([ofCredential, ofObject, ofMaker], [false, false, true])
})

Operators.run()
