import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { createHash } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { customData, exampleHash, law, presentedCredential, registeredClient, tokenHash } from '@clientele/testing'
import type { PresentedCredential, TokenHash } from '../../src/authorization/credential.js'
import { secondsAfter } from '../../src/kernel/time.js'
import { isJsonObject, maxDepth } from '../../src/kernel/json-object.js'
import { idempotencyKeyReused, invalidRequest, registrationChanged } from '../../src/kernel/refusals.js'
import {
  type KeyedRequest,
  decideRepetition,
  idempotencyLifetime,
  keyedRegistration,
  keyedRequest,
} from '../../src/registration/repetition.js'
import { signedBody } from '../../src/registration/signed-body.js'

const Idempotency = suite('registrations that are requested again')
const it = law(Idempotency)

const hash = (text: string): TokenHash => exampleHash(createHash('sha256').update(text).digest('base64url'))
const decide = decideRepetition(hash)
const keyOf = keyedRequest(hash)

const client = registeredClient().map((any) => ({ ...any, version: 1 }))
const body = customData().filter(isJsonObject(maxDepth))
const requested: fc.Arbitrary<KeyedRequest> = fc.record({ key: tokenHash(), body })
const credential = presentedCredential().filter(({ kind }) => kind !== 'unusable')
const seconds = fc.nat({ max: idempotencyLifetime - 1 })

const request = (presented: PresentedCredential, sent: unknown, idempotencyKey?: string) =>
  keyOf({ credential: presented, body: E.right(sent), idempotencyKey })

it(
  'the same request within the time is answered with its client',
  [client, requested, seconds],
  (registered, repetition, passed) => {
    const row = keyedRegistration(hash)(repetition, registered)
    const found = O.some(row)
    const at = secondsAfter(registered.client_id_issued_at, passed)
    fc.pre(at < row.expires_at)
    assert.equal(decide(repetition, { found, client: O.some(registered) }, at), E.right(O.some(registered)))
    const { key, body: sent } = repetition
    const inOtherOrder = Object.fromEntries(Object.entries(sent).reverse())
    assert.equal(
      decide({ key, body: inOtherOrder }, { found, client: O.some(registered) }, at),
      E.right(O.some(registered)),
    )
  },
)

it(
  'after the time, without a row or under another key it is the first',
  [client, requested, tokenHash()],
  (...given) => {
    const [registered, repetition, other] = given
    const found = keyedRegistration(hash)(repetition, registered)
    const { expires_at } = found
    const at = registered.client_id_issued_at
    fc.pre(other !== repetition.key)
    const stored = O.some(registered)
    assert.equal(decide(repetition, { found: O.some(found), client: stored }, expires_at), E.right(O.none))
    assert.equal(decide(repetition, { found: O.none, client: stored }, at), E.right(O.none))
    assert.equal(decide({ ...repetition, key: other }, { found: O.some(found), client: stored }, at), E.right(O.none))
  },
)

it(
  'another body is refused, whatever became of the client',
  [client, requested, body],
  (registered, repetition, other) => {
    fc.pre(JSON.stringify(other) !== JSON.stringify(repetition.body))
    fc.pre(Object.keys(other).sort().join() !== Object.keys(repetition.body).sort().join())
    const found = O.some(keyedRegistration(hash)(repetition, registered))
    for (const stored of [O.none, O.some(registered), O.some({ ...registered, version: 2 })])
      assert.equal(
        decide({ ...repetition, body: other }, { found, client: stored }, registered.client_id_issued_at),
        E.left(idempotencyKeyReused),
      )
  },
)

it(
  'a changed client is never answered, and a removed one makes the request the first',
  [client, requested, fc.integer({ min: 2, max: 1000 }), registeredClient()],
  (registered, repetition, version, other) => {
    fc.pre(other.registration_id !== registered.registration_id)
    const found = O.some(keyedRegistration(hash)(repetition, registered))
    const at = registered.client_id_issued_at
    const changed = O.some({ ...registered, version })
    assert.equal(decide(repetition, { found, client: changed }, at), E.left(registrationChanged))
    for (const gone of [O.none, O.some({ ...other, client_id: registered.client_id, version: 1 })])
      assert.equal(decide(repetition, { found, client: gone }, at), E.right(O.none))
  },
)

it(
  'a row that was changed answers nothing',
  [client, requested, client, fc.integer({ min: 1, max: 1000 })],
  (registered, repetition, other, more) => {
    fc.pre(other.registration_id !== registered.registration_id)
    const row = keyedRegistration(hash)(repetition, registered)
    const { client_id, registration_id } = other
    const at = registered.client_id_issued_at
    const changed = [
      { ...row, client_id, registration_id },
      { ...row, expires_at: secondsAfter(row.expires_at, more) },
    ]
    for (const found of changed.filter(({ expires_at }) => expires_at > at))
      if (JSON.stringify(found) !== JSON.stringify(row))
        assert.equal(
          decide(repetition, { found: O.some(found), client: O.some(other) }, at),
          E.left(idempotencyKeyReused),
        )
  },
)

it(
  'one key of two credentials is two keys, and the key is in no digest as a text',
  [credential, credential, body, fc.uuid()],
  (one, other, sent, key) => {
    const first = request(one, sent, key)
    const second = request(other, sent, key)
    assert.is(first?.key === second?.key, one.kind === other.kind && JSON.stringify(one) === JSON.stringify(other))
    assert.not.match(JSON.stringify(first?.key), key)
  },
)

it(
  'a request without a key, with an unusable credential or an invalid body is never answered again',
  [credential, body, fc.uuid()],
  (any, sent, key) => {
    assert.is(request(any, sent), undefined)
    assert.is(request({ kind: 'unusable' }, sent, key), undefined)
    assert.is(keyOf({ credential: any, body: E.left(invalidRequest('any')), idempotencyKey: key }), undefined)
    for (const other of [undefined, null, 1, [sent]]) assert.is(request(any, other, key), undefined)
  },
)

it(
  'without a credential a key of another address is another key, and with one the address does not count',
  [credential, body, fc.uuid(), fc.ipV4(), fc.ipV4()],
  (any, sent, key, here, there) => {
    const from = (ownAddress: string) =>
      keyOf({ credential: any, body: E.right(sent), idempotencyKey: key, ownAddress })?.key
    assert.is(from(here) === from(there), here === there || any.kind !== 'none')
  },
)

it('two signed bodies are two bodies', [fc.uuid(), fc.string(), fc.string()], (key, one, other) => {
  const sent = (text: string) => request({ kind: 'master' }, signedBody(text), key)?.body
  assert.is(JSON.stringify(sent(one)) === JSON.stringify(sent(other)), one === other)
})

it('a signed body is another body than JSON with its text as a member', [fc.uuid(), fc.string()], (key, jwt) => {
  const sent = (one: unknown) => JSON.stringify(request({ kind: 'master' }, one, key)?.body)
  assert.is.not(sent(signedBody(jwt)), sent({ jwt }))
})

Idempotency.run()
