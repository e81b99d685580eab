import { unaudited } from '@clientele/domain/operations'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { unlimited } from '../../src/ports/outside.js'
import { type ClientChanged, type Replacement, clientChanged } from '../../src/ports/store.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { authorizeConfiguration } from '../../src/registration/configuration.js'
import { type RegisteredClient, representing } from '../../src/registration/registered-client.js'
import { clientInformation } from '../../src/registration/information.js'
import { type EpochSeconds, secondsAfter } from '../../src/kernel/time.js'
import type { PresentedCredential } from '../../src/authorization/credential.js'
import { type Unavailable, invalidToken, tooManyRequests, unavailable } from '../../src/kernel/refusals.js'
import { decideRead } from '../../src/operations/configure.js'
import {
  epochSecond,
  exampleHash,
  issued,
  law,
  noPauses,
  oneSample,
  presentedCredential,
  registeredByMaster,
  registeredClient,
  registrationSettings,
  shouldNotBeCalled,
  tokenHash,
  exampleOrigin,
  only,
  readByCredential,
} from '@clientele/testing'
import { noOperatorTokens } from '../support/no-operator-tokens.js'
import { createTurns } from '../../src/operations/conflicts.js'

const ReadClient = suite('readByCredential')
const turns = createTurns(noPauses)
const it = law(ReadClient)
const settings = registrationSettings()
const client = registeredClient()

it(
  'any facts whatever are decided, and refused exactly as the configuration endpoint refuses',
  [fc.option(client), presentedCredential(), epochSecond()],
  (any, other, at) => {
    const found = O.fromNullable(any)
    const decided = decideRead({ credential: other, found, at })
    assert.equal(decideRead({ credential: other, found, at }), decided)
    assert.equal(E.map(() => 0)(decided), E.map(() => 0)(authorizeConfiguration(other, found, at)))
  },
)

it(
  'the secret is renewed exactly when it has expired, and by no safe request; the client is answered as it is kept',
  [client, epochSecond()],
  (any, at) => {
    const expires = any.secret?.client_secret_expires_at ?? 0
    const renewsSecret = expires !== 0 && expires <= at
    const facts = { credential: { kind: 'master' as const }, found: O.some(any), at }
    assert.equal(decideRead(facts), E.right({ client: any, renewsSecret, replacing: renewsSecret ? any : undefined }))
    assert.equal(
      decideRead({ ...facts, isSafe: true }),
      E.right({ client: any, renewsSecret: false, replacing: undefined }),
    )
  },
)

it(
  'the first read with the newest token ends the one before it, and any other read leaves it, whatever the time',
  [client, tokenHash(), epochSecond(), epochSecond()],
  (any, hash, until, at) => {
    const stored = { ...any, secret: undefined, preceding_token: { hash, until } }
    const decided = (credential: PresentedCredential) =>
      decideRead({ credential, found: O.some(stored), at, isSafe: true })
    const ended = { client: { ...any, secret: undefined }, renewsSecret: false, replacing: stored }
    const left = { client: stored, renewsSecret: false, replacing: undefined }
    assert.equal(decided({ kind: 'token', hash: any.registration_access_token.hash }), E.right(ended))
    assert.equal(decided({ kind: 'master' }), E.right(left))
    assert.equal(decided({ kind: 'token', hash }), at < until ? E.right(left) : E.left(invalidToken))
  },
)

const expiring = (): readonly [ReturnType<typeof set>, RegisteredClient] => [
  set(),
  registeredByMaster(set(), now)({ grant_types: [] }),
]
const base = oneSample(settings)
const set = () => ({ ...base, credentials: { ...base.credentials, clientSecretLifetime: 60 } })
const now = oneSample(issued())
const later = oneSample(issued())
const request = (any: RegisteredClient) => ({ credential: { kind: 'master' as const }, clientId: any.client_id })

ReadClient('a secret in force is told, and nothing is issued or stored', async () => {
  const [policy, any] = expiring()
  const ports = {
    ...turns,
    ...noOperatorTokens,
    findClient: () => TE.right(O.some(any)),
    findClientByToken: shouldNotBeCalled,
    confirmReads: shouldNotBeCalled,
    now: () => now.at,
    issue: shouldNotBeCalled,
    replaceClient: shouldNotBeCalled,
  }
  assert.equal(
    await readByCredential(
      policy,
      only({ ...unaudited, ...unlimited, ...ports }),
    )({ ...request(any), origin: exampleOrigin })(),
    E.right(representing(clientInformation(policy.registrationEndpoint))(any)),
  )
})

ReadClient('an expired secret is renewed once, in the very version that was read', async () => {
  const [policy, any] = expiring()
  const at = secondsAfter(now.at, 60)
  const stored: Array<readonly [RegisteredClient, RegisteredClient]> = []
  const ports = {
    ...turns,
    ...noOperatorTokens,
    findClient: () => TE.right(O.some(any)),
    findClientByToken: shouldNotBeCalled,
    confirmReads: shouldNotBeCalled,
    now: () => at,
    issue: () => ({ ...later, at }),
    replaceClient: ({ next, replacing }: Replacement<RegisteredClient>) =>
      TE.fromIO(() => void stored.push([next, replacing])),
  }
  const read = await readByCredential(
    policy,
    only({ ...unaudited, ...unlimited, ...ports }),
  )({ ...request(any), origin: exampleOrigin })()
  const secret = { client_secret: later.client_secret, client_secret_expires_at: secondsAfter(at, 60) }
  assert.equal(stored, [[{ ...any, secret, secret_created_at: at, version: 2 }, any]])
  assert.equal(
    read,
    E.right(representing(clientInformation(policy.registrationEndpoint))({ ...any, secret, version: 2 })),
  )
})

ReadClient(
  'a read with the newest token is answered while the store cannot write the end of the one before it',
  async () => {
    const [policy, any] = expiring()
    const preceding_token = { hash: exampleHash('preceding'), until: secondsAfter(now.at, 60) }
    const stored: RegisteredClient = { ...any, preceding_token }
    const read = (failure: ClientChanged | Unavailable) =>
      readByCredential(
        policy,
        only({
          ...unaudited,
          ...unlimited,
          ...turns,
          ...noOperatorTokens,
          findClient: shouldNotBeCalled,
          findClientByToken: () => TE.right(O.some(stored)),
          confirmReads: TE.right(undefined),
          now: () => now.at,
          issue: shouldNotBeCalled,
          replaceClient: () => TE.left(failure),
        }),
      )({
        origin: exampleOrigin,
        credential: { kind: 'token', hash: any.registration_access_token.hash },
        clientId: any.client_id,
      })()
    const answer = representing(clientInformation(policy.registrationEndpoint))(any)
    assert.equal(await read(unavailable('the disk is full')), E.right(answer))
    assert.is(E.isLeft(await read(clientChanged)), true)
  },
)

ReadClient(
  'a reading that renews the secret of an open registration costs a unit, and no other reading does',
  async () => {
    const [policy, any] = expiring()
    const open: RegisteredClient = { ...any, registered_by: 'nobody' }
    const credential = { kind: 'token', hash: open.registration_access_token.hash } as const
    const refusal = { error: 'exhausted', scope: 'all', retryAfter: 1 } as const
    const read = (at: EpochSeconds, isSafe: boolean) =>
      readByCredential(
        policy,
        only({
          ...unaudited,
          ...unlimited,
          ...turns,
          ...noOperatorTokens,
          findClient: () => TE.right(O.some(open)),
          findClientByToken: () => TE.right(O.some(open)),
          now: () => at,
          issue: shouldNotBeCalled,
          replaceClient: shouldNotBeCalled,
          confirmReads: TE.right(undefined),
          consumeBudget: () => TE.left(refusal),
        }),
      )({ origin: exampleOrigin, credential, clientId: open.client_id, isSafe })()
    assert.ok(E.isRight(await read(now.at, false)))
    assert.ok(E.isRight(await read(secondsAfter(now.at, 60), true)))
    const refused = await read(secondsAfter(now.at, 60), false)
    assert.equal(refused, E.left(tooManyRequests('registrations')(refusal)))
  },
)

ReadClient('what cannot be an identifier is not looked up, nor is anything without a credential', async () => {
  const [policy, any] = expiring()
  const ports = {
    ...turns,
    ...noOperatorTokens,
    findClient: shouldNotBeCalled,
    findClientByToken: shouldNotBeCalled,
    confirmReads: shouldNotBeCalled,
    now: () => now.at,
    issue: shouldNotBeCalled,
    replaceClient: shouldNotBeCalled,
  }
  for (const clientId of ['..', '', 'a/b', 'é', 'x'.repeat(129)])
    assert.equal(
      await readByCredential(
        policy,
        only({ ...unaudited, ...unlimited, ...ports }),
      )({
        origin: exampleOrigin,
        credential: { kind: 'token', hash: any.registration_access_token.hash },
        clientId,
      })(),
      E.left(invalidToken),
    )
  const nobody = await readByCredential(
    policy,
    only({ ...unaudited, ...unlimited, ...ports }),
  )({
    origin: exampleOrigin,
    credential: { kind: 'none' },
    clientId: any.client_id,
  })()
  assert.is(E.isLeft(nobody) && nobody.left.error, 'missing_token')
})

ReadClient.run()
