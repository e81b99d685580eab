import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseRegistrationScope } from '../../src/authorization/registrant.js'
import { decideInitialAccessToken, maxInitialAccessTokenLifetime } from '../../src/operations/tokens.js'
import { epochSecond, law, receivedBody, registrationScope, registrationSettings, tokenHash } from '@clientele/testing'

const DecideInitialAccessToken = suite('decideInitialAccessToken')
const it = law(DecideInitialAccessToken)
const settings = registrationSettings()
const at = epochSecond()
const hash = tokenHash()
const scope = registrationScope()
const errorOf = (decided: E.Either<{ readonly error: string }, unknown>): string | undefined =>
  E.isLeft(decided) ? decided.left.error : undefined

it(
  'any facts whatever are decided, and the same facts alike',
  [settings, at, hash, receivedBody(fc.anything())],
  (set, now, own, body) => {
    const facts = { body, hash: own, at: now }
    const decided = decideInitialAccessToken(set)(facts)
    assert.equal(decideInitialAccessToken(set)(facts), decided)
    assert.match(errorOf(decided) ?? 'invalid_scope', /^(invalid_request|invalid_scope)$/)
  },
)

it(
  'a token has the scope that was asked, and lives as long as was asked',
  [settings, at, hash, scope, fc.integer({ min: 1, max: maxInitialAccessTokenLifetime })],
  (set, now, own, requested, lifetime) => {
    const parsed = parseRegistrationScope(requested)
    if (E.isLeft(parsed)) return assert.unreachable()
    const decided = decideInitialAccessToken(set)({
      body: E.right({ scope: requested, lifetime }),
      hash: own,
      at: now,
    })
    assert.equal(decided, E.right({ ...parsed.right, hash: own, expires_at: now + lifetime }))
  },
)

it(
  'a token that was asked without a lifetime lives as long as the operator says',
  [settings, at, hash, scope],
  (set, now, own, requested) => {
    const decided = decideInitialAccessToken(set)({ body: E.right({ scope: requested }), hash: own, at: now })
    assert.is(E.isRight(decided) && decided.right.expires_at - now, set.initialAccessTokenLifetime)
  },
)

const lifetimes = fc.oneof(
  fc.anything(),
  fc.integer(),
  fc.constantFrom(0, -1, 0.5, NaN, Infinity, '600', null, maxInitialAccessTokenLifetime + 1, [600]),
)

it(
  'a lifetime is a whole number of seconds up to 30 days, or refused',
  [settings, at, hash, scope, lifetimes],
  (set, now, own, requested, lifetime) => {
    const decided = decideInitialAccessToken(set)({
      body: E.right({ scope: requested, lifetime }),
      hash: own,
      at: now,
    })
    const valid =
      lifetime === undefined ||
      (typeof lifetime === 'number' && Number.isInteger(lifetime) && lifetime >= 1 && lifetime <= 2_592_000)
    assert.equal(errorOf(decided), valid ? undefined : 'invalid_request')
  },
)

it(
  'a body without a scope, or with an inherited one, is refused as invalid_scope',
  [settings, at, hash, scope],
  (set, now, own, requested) => {
    for (const body of [
      {},
      { scope: undefined },
      { scope: null },
      { scope: [requested] },
      { scope: `${requested} openid` },
    ])
      assert.is(errorOf(decideInitialAccessToken(set)({ body: E.right(body), hash: own, at: now })), 'invalid_scope')
  },
)

it('what is no JSON object is an invalid request', [settings, at, hash], (set, now, own) => {
  for (const body of [null, [], 'scope', 7, true, undefined, Object.create({ scope: 'client-reg' })])
    assert.is(errorOf(decideInitialAccessToken(set)({ body: E.right(body), hash: own, at: now })), 'invalid_request')
})

DecideInitialAccessToken.run()
