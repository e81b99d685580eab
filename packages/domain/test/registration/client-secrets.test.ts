// Two secrets of a client: at most two count, each until its own end, and nothing but a second one adds one.
import { epochSecond, exampleTime, issued, law, oneSample, registeredClient } from '@clientele/testing'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { epochSeconds, secondsAfter } from '../../src/kernel/time.js'
import {
  type Secrets,
  describeSecrets,
  expiredSecretRenewed,
  precedingEnded,
  readEnd,
  readPrecedingEnd,
  secretAdded,
  secretsAfterUpdate,
  secretsInForce,
  secretsOfIssued,
  secretsRenewed,
} from '../../src/registration/client-secrets.js'
import { updatedClient, withSecrets } from '../../src/registration/registered-client.js'

const Two = suite('two client_secrets')
const it = law(Two)
const generated = oneSample(issued())

const event = fc.record({
  what: fc.constantFrom('update', 'rotation', 'overlap', 'addition', 'drop', 'end', 'expiry', 'renewal'),
  after: fc.nat(50),
  lifetime: fc.constantFrom(0, 30),
})
type Event = typeof event extends fc.Arbitrary<infer Value> ? Value : never

type Known = Secrets & { readonly client_id_issued_at: typeof exampleTime }
type History = { readonly client: Known; readonly at: typeof exampleTime; readonly made: ReadonlyArray<string> }

const begun: History = {
  client: {
    client_id_issued_at: exampleTime,
    secret: { client_secret: 'secret-0', client_secret_expires_at: epochSeconds(0) },
  },
  at: exampleTime,
  made: ['secret-0'],
}

const step = (history: History, { what, after, lifetime }: Event): History => {
  const at = secondsAfter(history.at, after)
  const { client, made } = history
  const fresh = { ...generated, at, client_secret: `secret-${made.length}`, client_secret_padding: '' }
  const policy = {
    clientSecretLifetime: lifetime,
    rotateClientSecretOnUpdate: what === 'rotation' || what === 'overlap',
    clientSecretOverlap: what === 'overlap' ? 20 : 0,
  }
  const changed = (secrets: Secrets): History => {
    const newest = secrets.secret?.client_secret ?? ''
    const next = { client_id_issued_at: exampleTime, ...secrets }
    return { client: next, at, made: made.includes(newest) ? made : [...made, newest] }
  }
  switch (what) {
    case 'update':
    case 'rotation':
    case 'overlap':
      return changed(secretsAfterUpdate(policy, fresh, client))
    case 'addition': {
      const added = secretAdded(policy, fresh, client, epochSeconds(0))
      return E.isLeft(added) ? { ...history, at } : changed(added.right)
    }
    case 'drop':
    case 'end': {
      const ended = precedingEnded(client, at, what === 'drop' ? undefined : secondsAfter(at, 10))
      return E.isLeft(ended) || ended.right === undefined ? { ...history, at } : changed(ended.right)
    }
    case 'expiry':
      return changed(expiredSecretRenewed(policy, fresh, client))
    case 'renewal':
      return changed(secretsRenewed(policy, fresh, client))
  }
}

it(
  'whatever happens, the newest and at most the one before it count',
  [fc.array(event), fc.nat(60)],
  (events, wait) => {
    const { client, made, at } = events.reduce(step, begun)
    const now = secondsAfter(at, wait)
    const inForce = secretsInForce(client, now)
    assert.ok(inForce.length <= 2)
    assert.is(new Set(inForce).size, inForce.length)
    assert.ok(inForce.every((each) => made.includes(each)))
    const newest = client.secret
    const isExpired =
      newest !== undefined && newest.client_secret_expires_at !== 0 && newest.client_secret_expires_at <= now
    assert.is(inForce[0] === newest?.client_secret, !isExpired)
    assert.is(secretsOfIssued(client, now)[0], newest?.client_secret)
    // Nothing that has ended counts again later.
    assert.ok(secretsInForce(client, secondsAfter(now, 1)).every((each) => inForce.includes(each)))
    const told = describeSecrets(client, now, () => undefined)
    assert.is(told.length, isExpired ? inForce.length + 1 : inForce.length)
    assert.not(JSON.stringify(told).includes('secret-'))
  },
)

it(
  'an update that is repeated while two count ends neither, and makes no third',
  [fc.array(event), fc.nat(60)],
  (events, wait) => {
    const { client, at } = events.reduce(step, begun)
    const now = secondsAfter(at, wait)
    const inForce = secretsInForce(client, now)
    fc.pre(inForce.length === 2)
    const policy = { clientSecretLifetime: 0, rotateClientSecretOnUpdate: true, clientSecretOverlap: 20 }
    const fresh = { ...generated, at: now, client_secret: 'a-third', client_secret_padding: '' }
    assert.equal(secretsInForce(secretsAfterUpdate(policy, fresh, client), now), inForce)
  },
)

it(
  'without an overlap an update leaves one secret at most as before',
  [registeredClient(), epochSecond()],
  (client, at) => {
    const policy = {
      clientSecretLifetime: 0,
      rotateRegistrationAccessTokenOnUpdate: false,
      rotateClientSecretOnUpdate: true,
    }
    const next = updatedClient(policy, { ...generated, at })(client)(client.metadata)
    assert.is(next.preceding_secret, undefined)
  },
)

Two('a second secret counts beside the first until its end, and a third is refused', () => {
  const { client } = begun
  const at = secondsAfter(exampleTime, 5)
  const policy = { clientSecretLifetime: 0, rotateClientSecretOnUpdate: false }
  const end = secondsAfter(at, 10)
  const added = secretAdded(
    policy,
    { ...generated, at, client_secret: 'second', client_secret_padding: '' },
    client,
    end,
  )
  if (E.isLeft(added)) throw new Error(added.left.error_description)
  const two = { ...client, ...added.right }
  assert.equal(
    secretsInForce(two, secondsAfter(end, -1)),
    ['second', 'secret-0'].map((each) => each.padEnd(6)),
  )
  assert.equal(secretsInForce(two, end), [two.secret?.client_secret])
  assert.equal(
    describeSecrets(two, at, (each) => (each === 'secret-0' ? at : undefined)),
    [
      { secret: 'newest', created_at: at, client_secret_expires_at: 0 },
      { secret: 'preceding', created_at: exampleTime, last_use: at, client_secret_expires_at: 0, ends_at: end },
    ],
  )
  assert.ok(E.isLeft(secretAdded(policy, { ...generated, at }, two, end)))
  assert.ok(E.isRight(secretAdded(policy, { ...generated, at: end }, two, end)))
  assert.ok(E.isLeft(secretAdded(policy, { ...generated, at }, { ...client, secret: undefined }, end)))
  assert.equal(precedingEnded(client, at, undefined), E.right(undefined))
  assert.ok(E.isLeft(precedingEnded(client, at, end)))
})

it('any body is read or refused', [fc.anything(), epochSecond()], (body, at) => {
  for (const read of [readEnd(at), readPrecedingEnd(at)]) {
    const end = read(body)
    if (E.isRight(end)) assert.ok(end.right === 0 || end.right > at)
    else assert.is(end.left.error, 'invalid_request')
  }
})

it('a time in the future is an end, in any notation', [fc.integer({ min: 1, max: 1e9 })], (seconds) => {
  const at = exampleTime
  const end = secondsAfter(at, seconds)
  for (const ends_at of [end, String(end), new Date(1000 * end).toISOString()]) {
    assert.equal(readEnd(at)({ ends_at }), E.right(end))
    assert.equal(readPrecedingEnd(at)({ preceding_ends_at: ends_at }), E.right(end))
  }
  assert.equal(readPrecedingEnd(at)({}), E.right(0))
  // A time in milliseconds is none.
  for (const ends_at of [1000 * end, String(1000 * end), at + 36_525 * 86_400 + 1])
    assert.ok(E.isLeft(readEnd(at)({ ends_at })) && E.isLeft(readPrecedingEnd(at)({ preceding_ends_at: ends_at })))
  for (const body of [{ ends_at: at }, { ends_at: '' }, {}, { ends_at: null }]) assert.ok(E.isLeft(readEnd(at)(body)))
  assert.ok(E.isLeft(readPrecedingEnd(at)({ ends_at: end })))
})

it('other secrets are a version of their own, and change nothing else', [registeredClient()], (client) => {
  const secrets = secretsRenewed({ clientSecretLifetime: 0, rotateClientSecretOnUpdate: false }, generated, client)
  const next = withSecrets(
    { ...client, preceding_secret: { ...secrets.secret, created_at: exampleTime, ends_at: exampleTime } },
    secrets,
  )
  assert.equal(next, { ...client, ...secrets, version: client.version + 1 })
})

Two.run()
