import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  epochSecond,
  exampleHash,
  exampleTime,
  law,
  registeredClient,
  secretlessMethods,
  shouldNotBeCalled,
  unapproved,
  only,
} from '@clientele/testing'
import type { TokenHash } from '../../src/authorization/credential.js'
import { secondsAfter } from '../../src/kernel/time.js'
import { unavailable } from '../../src/kernel/refusals.js'
import { type PresentedMethod, decideClientAuthentication } from '../../src/registration/client-authentication.js'
import { type RegisteredClient, hasExpiredSecret } from '../../src/registration/registered-client.js'
import { authenticateClient } from '../../src/operations/provider.js'

const Authenticate = suite('authenticateClient')
const it = law(Authenticate)

const methods: ReadonlyArray<PresentedMethod> = ['client_secret_basic', 'client_secret_post', 'none']
const method = fc.constantFrom(...methods)

// A different digest for each text.
const known = new Map<string, TokenHash>()
const hashToken = (text: string): TokenHash => {
  const hash = known.get(text) ?? exampleHash(`text-${known.size}`)
  known.set(text, hash)
  return hash
}

const authenticate = (client: RegisteredClient | undefined, at = client?.client_id_issued_at) =>
  authenticateClient(
    only({
      findClient: () => TE.right(O.fromNullable(client)),
      now: () => at ?? exampleTime,
      hashToken,
      useSecret: () => undefined,
    }),
  )

it(
  'a client authenticates exactly by its own method with its own secret, before that expires (RFC 6749 §2.3)',
  [registeredClient(), epochSecond(), method, fc.boolean()],
  async (client, at, presented, own) => {
    const secret = own ? (client.secret?.client_secret ?? '') : 'another secret'
    const outcome = await authenticate(client, at)({ clientId: client.client_id, method: presented, secret })()
    const expected =
      client.metadata.token_endpoint_auth_method === presented &&
      (presented === 'none' || (own && client.secret !== undefined && !hasExpiredSecret(client, at)))
    assert.is(E.isRight(outcome), expected)
    if (E.isRight(outcome)) assert.is(outcome.right, client)
  },
)

it(
  'a client that is not registered never authenticates',
  [epochSecond(), method, fc.string()],
  async (at, presented, secret) => {
    const outcome = await authenticate(undefined, at)({ clientId: 'nobody', method: presented, secret })()
    assert.equal(outcome, E.left({ error: 'invalid_client', reason: 'unknown_client' }))
  },
)

it(
  'a client without an approval never authenticates, by an error at which no application registers anew',
  [registeredClient(), unapproved(), method],
  async (registered, approval, presented) => {
    const client = { ...registered, approval }
    const secret = client.secret?.client_secret ?? ''
    const outcome = await authenticate(client)({ clientId: client.client_id, method: presented, secret })()
    assert.equal(outcome, E.left({ error: 'access_denied', reason: `${approval.state}_client` }))
    const suspended = { ...client, suspended_at: exampleTime }
    const refused = await authenticate(suspended)({ clientId: client.client_id, method: presented, secret })()
    assert.equal(refused, E.left({ error: 'invalid_client', reason: 'suspended_client' }))
  },
)

it('what cannot be an identifier is not looked up', [fc.string()], async (text) => {
  const ask = authenticateClient(only({ findClient: shouldNotBeCalled, now: () => exampleTime, hashToken }))
  const outcome = await ask({ clientId: `${text}/`, method: 'none' })()
  assert.equal(outcome, E.left({ error: 'invalid_client', reason: 'unknown_client' }))
})

it(
  'a later time authenticates nobody that an earlier one does not',
  [registeredClient(), epochSecond(), fc.nat()],
  (client, at, wait) => {
    const facts = { client: O.some(client), method: 'client_secret_basic' as const, presents: () => true }
    return (
      E.isRight(decideClientAuthentication(at)(facts)) ||
      E.isLeft(decideClientAuthentication(secondsAfter(at, wait))(facts))
    )
  },
)

Authenticate(
  'no secret of a client with another method is compared: private_key_jwt is verified by the provider',
  async () => {
    assert.ok(secretlessMethods.includes('private_key_jwt'))
    const facts = (name: string) => ({ error: 'invalid_client', reason: name })
    for (const presented of methods) {
      const [client] = fc.sample(
        registeredClient().filter(({ metadata }) => metadata.token_endpoint_auth_method === 'private_key_jwt'),
        { numRuns: 1, seed: 1 },
      )
      if (client === undefined) throw new Error('no client')
      const outcome = await authenticate(client)({ clientId: client.client_id, method: presented, secret: '' })()
      assert.equal(outcome, E.left(facts('another_method')))
    }
  },
)

Authenticate('a store that cannot answer authenticates nobody, and is no fault of the client', async () => {
  const ask = authenticateClient(
    only({
      findClient: () => TE.left(unavailable('down')),
      now: () => exampleTime,
      hashToken,
    }),
  )
  assert.equal(await ask({ clientId: 'a', method: 'none' })(), E.left(unavailable('down')))
})

Authenticate.run()
