import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { authorizeRegistrant, openPrivileges } from '../../src/authorization/authorize-registrant.js'
import type { InitialAccessToken } from '../../src/authorization/initial-access-token.js'
import { allPrivileges, grantPrivilege, noPrivileges, permits, union } from '../../src/authorization/privileges.js'
import type { EpochSeconds } from '../../src/codec/epoch-seconds.js'
import { secondsAfter } from '../../src/codec/epoch-seconds.js'
import { invalidToken, missingToken } from '../../src/errors.js'
import {
  epochSecond,
  initialAccessToken,
  law,
  presentedCredential,
  privileges,
  registrationMode,
  scopeValues,
  tokenHash,
} from '../../src/testing/index.js'
import { noCeilings } from '../../src/policy/registration-policy.js'

const AuthorizeRegistrant = suite('authorizeRegistrant')
const it = law(AuthorizeRegistrant)
const managed = { kind: 'managed' } as const
const openMode = fc.subarray([...scopeValues]).map((scope) => ({ kind: 'open' as const, scope }))
const maybeToken = fc.option(initialAccessToken()).map(O.fromNullable)
const inForce = initialAccessToken().map((token) => ({ ...token, spent: false }))
const before = (token: InitialAccessToken): EpochSeconds => secondsAfter(token.expires_at, -1)

it('managed registration by nobody is always missing a token', [epochSecond(), maybeToken], (now, found) =>
  assert.equal(authorizeRegistrant(managed, noCeilings, now)({ kind: 'none' }, found), E.left(missingToken)),
)

it('managed registration permits nothing of itself', [privileges()], (asked) =>
  assert.is(permits(openPrivileges(managed))(asked), permits(noPrivileges)(asked)),
)

it(
  'open registration by nobody permits exactly the three grants and the open scope values',
  [openMode, epochSecond()],
  (mode, now) => {
    const three = grantPrivilege('authorization_code', 'implicit', 'refresh_token')
    const held = union(three, { ...noPrivileges, scope: [...mode.scope].sort() })
    assert.equal(
      authorizeRegistrant(mode, noCeilings, now)({ kind: 'none' }, O.none),
      E.right({ held, spending: O.none, by: 'nobody' as const }),
    )
  },
)

it(
  'an unusable credential is never nobody, in any mode',
  [registrationMode(), epochSecond(), maybeToken],
  (mode, now, found) =>
    assert.equal(authorizeRegistrant(mode, noCeilings, now)({ kind: 'unusable' }, found), E.left(invalidToken)),
)

it(
  'an unknown token is never nobody, in any mode',
  [registrationMode(), epochSecond(), tokenHash()],
  (mode, now, hash) =>
    assert.equal(authorizeRegistrant(mode, noCeilings, now)({ kind: 'token', hash }, O.none), E.left(invalidToken)),
)

it(
  'a token that was found for another hash is not valid',
  [registrationMode(), inForce, tokenHash()],
  (mode, token, hash) =>
    assert.equal(
      authorizeRegistrant(mode, noCeilings, before(token))({ kind: 'token', hash }, O.some(token)),
      E.left(invalidToken),
    ),
)

it(
  'a token in force adds to what anybody may, and is the one that is spent',
  [registrationMode(), inForce],
  (mode, token) => {
    const authorized = authorizeRegistrant(
      mode,
      noCeilings,
      before(token),
    )({ kind: 'token', hash: token.hash }, O.some(token))
    const held = union(openPrivileges(mode), token.privileges)
    assert.equal(authorized, E.right({ held, spending: O.some(token.hash), by: 'token' as const }))
  },
)

it('a token never takes away what nobody at all may', [openMode, inForce, privileges()], (mode, token, asked) => {
  const authorized = authorizeRegistrant(
    mode,
    noCeilings,
    before(token),
  )({ kind: 'token', hash: token.hash }, O.some(token))
  if (permits(openPrivileges(mode))(asked)) assert.ok(E.isRight(authorized) && permits(authorized.right.held)(asked))
})

it('a spent token is not valid, in any mode', [registrationMode(), inForce], (mode, token) => {
  const spent = O.some({ ...token, spent: true })
  assert.equal(
    authorizeRegistrant(mode, noCeilings, before(token))({ kind: 'token', hash: token.hash }, spent),
    E.left(invalidToken),
  )
})

it('a token is not valid from its expiry on', [registrationMode(), inForce, fc.nat(100_000)], (mode, token, later) => {
  const now = secondsAfter(token.expires_at, later)
  assert.equal(
    authorizeRegistrant(mode, noCeilings, now)({ kind: 'token', hash: token.hash }, O.some(token)),
    E.left(invalidToken),
  )
})

it(
  'the master token holds everything and spends nothing',
  [registrationMode(), epochSecond(), maybeToken],
  (mode, now, found) =>
    assert.equal(
      authorizeRegistrant(mode, noCeilings, now)({ kind: 'master' }, found),
      E.right({ held: allPrivileges, spending: O.none, by: 'master' as const }),
    ),
)

it(
  'it is told on whose word a client is registered',
  [registrationMode(), epochSecond(), presentedCredential(), maybeToken],
  (mode, now, credential, found) => {
    const authorized = authorizeRegistrant(mode, noCeilings, now)(credential, found)
    if (E.isRight(authorized)) assert.is(authorized.right.by, credential.kind === 'none' ? 'nobody' : credential.kind)
  },
)

AuthorizeRegistrant.run()
