import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import {
  type InitialAccessToken,
  type PresentedCredential,
  type Registrant,
  type RegistrationMode,
  allPrivileges,
  grantPrivilege,
  noPrivileges,
} from '@clientele/domain/authorization'
import { type EpochSeconds, secondsAfter } from '@clientele/domain/kernel'
import { noCeilings } from '@clientele/domain/policy'
import { presentedCredential, tokenHash } from '../arbitraries/credentials.js'
import { initialAccessToken } from '../arbitraries/initial-access-token.js'
import { epochSecond } from '../arbitraries/generated-credentials.js'
import { privileges, scopeValues } from '../arbitraries/privileges.js'
import { registrationMode } from '../arbitraries/settings.js'
import {
  type AuthorizationLaw,
  type AuthorizationRules,
  type Outcome,
  authorizationLaw,
} from './authorization-rules.js'
import { codeOf, isPermitted, valueOf } from './outcome.js'

const managed = { kind: 'managed' } as const
const mode = registrationMode()
const now = epochSecond()
const hash = tokenHash()
const openMode = fc.subarray([...scopeValues]).map((scope) => ({ kind: 'open' as const, scope }))
const maybeToken = fc.option(initialAccessToken()).map(O.fromNullable)
const inForce = initialAccessToken()
const before = (token: InitialAccessToken): EpochSeconds => secondsAfter(token.expires_at, -1)
const by = (token: Pick<InitialAccessToken, 'hash'>): PresentedCredential => ({ kind: 'token', hash: token.hash })

/** The registrant with the token, found unchanged at the time. */
const presented = (
  { authorizeRegistrant }: AuthorizationRules,
  inMode: RegistrationMode,
  token: InitialAccessToken,
  at = before(token),
): Outcome<Registrant> => authorizeRegistrant(inMode, noCeilings)(by(token), O.some(token), at)

const registrationIs = 'specification §4.1'
const tokenIsGoodForOne = 'specification §5.1'
const invalidToken = 'RFC 6750 §3.1'

const anonymousLaws: ReadonlyArray<AuthorizationLaw> = [
  authorizationLaw(
    'managed-registration-needs-a-token',
    'managed registration without a token is always refused for the missing token',
    registrationIs,
    [now, maybeToken],
    ({ authorizeRegistrant }) =>
      (at, found) =>
        assert.is(codeOf(authorizeRegistrant(managed, noCeilings)({ kind: 'none' }, found, at)), 'missing_token'),
  ),
  authorizationLaw(
    'managed-registration-gives-nothing',
    'managed registration grants no privileges without a token',
    registrationIs,
    [privileges()],
    ({ permits, openPrivileges }) =>
      (requested) =>
        assert.is(permits(openPrivileges(managed))(requested), permits(noPrivileges)(requested)),
  ),
  authorizationLaw(
    'open-registration-gives-three-grants',
    'open registration without a token permits exactly the three grants and the open scope values',
    registrationIs,
    [openMode, now],
    ({ authorizeRegistrant, union }) =>
      (open, at) => {
        const three = grantPrivilege('authorization_code', 'implicit', 'refresh_token')
        const granted = union(three, { ...noPrivileges, scope: [...open.scope].sort() })
        assert.equal(valueOf(authorizeRegistrant(open, noCeilings)({ kind: 'none' }, O.none, at)), {
          granted,
          consumedToken: O.none,
          by: 'nobody',
        })
      },
  ),
  authorizationLaw(
    'bad-credential-is-not-anonymous',
    'an unusable credential is refused, not treated as absent',
    invalidToken,
    [mode, now, maybeToken],
    ({ authorizeRegistrant }) =>
      (any, at, found) =>
        assert.is(codeOf(authorizeRegistrant(any, noCeilings)({ kind: 'unusable' }, found, at)), 'invalid_token'),
  ),
  authorizationLaw(
    'unknown-token-is-not-anonymous',
    'an unknown token is refused, not treated as absent',
    invalidToken,
    [mode, now, hash],
    ({ authorizeRegistrant }) =>
      (any, at, unknown) =>
        assert.is(codeOf(authorizeRegistrant(any, noCeilings)(by({ hash: unknown }), O.none, at)), 'invalid_token'),
  ),
]

const tokenLaws: ReadonlyArray<AuthorizationLaw> = [
  authorizationLaw(
    'token-of-another-hash-is-invalid',
    'a token that was found for another hash is invalid',
    invalidToken,
    [mode, inForce, hash],
    ({ authorizeRegistrant }) =>
      (any, token, other) =>
        assert.is(
          codeOf(authorizeRegistrant(any, noCeilings)(by({ hash: other }), O.some(token), before(token))),
          'invalid_token',
        ),
  ),
  authorizationLaw(
    'token-adds-to-open-registration',
    'a token in force adds to the privileges of open registration, and is the one that is consumed',
    tokenIsGoodForOne,
    [mode, inForce],
    (rules) => (any, token) =>
      assert.equal(valueOf(presented(rules, any, token)), {
        granted: rules.union(rules.openPrivileges(any), token.privileges),
        consumedToken: O.some(token.hash),
        by: 'token',
      }),
  ),
  authorizationLaw(
    'token-never-takes-away',
    'a token removes no privilege of open registration',
    registrationIs,
    [openMode, inForce, privileges()],
    (rules) => (open, token, requested) => {
      if (rules.permits(rules.openPrivileges(open))(requested))
        assert.ok(rules.permits(valueOf(presented(rules, open, token)).granted)(requested))
    },
  ),
  authorizationLaw(
    'token-expires',
    'a token is invalid from its expiry on',
    invalidToken,
    [mode, inForce, fc.nat(100_000)],
    (rules) => (any, token, later) =>
      assert.is(codeOf(presented(rules, any, token, secondsAfter(token.expires_at, later))), 'invalid_token'),
  ),
]

const whoLaws: ReadonlyArray<AuthorizationLaw> = [
  authorizationLaw(
    'master-token-holds-everything',
    'the master token has all privileges and consumes no token',
    tokenIsGoodForOne,
    [mode, now, maybeToken],
    ({ authorizeRegistrant }) =>
      (any, at, found) =>
        assert.equal(valueOf(authorizeRegistrant(any, noCeilings)({ kind: 'master' }, found, at)), {
          granted: allPrivileges,
          consumedToken: O.none,
          by: 'master',
        }),
  ),
  authorizationLaw(
    'whose-word-is-told',
    'the decision names the authority for the registration',
    'docs/decisions/0018-a-policy-is-data.md',
    [mode, now, presentedCredential(), maybeToken],
    ({ authorizeRegistrant }) =>
      (any, at, credential, found) => {
        const authorized = authorizeRegistrant(any, noCeilings)(credential, found, at)
        const kinds = { none: 'nobody', unusable: 'nobody', store: 'master' } as const
        const by = credential.kind in kinds ? kinds[credential.kind as keyof typeof kinds] : credential.kind
        if (isPermitted(authorized)) assert.is(valueOf(authorized).by, by)
      },
  ),
]

/** The registrant and its privileges. */
export const registrantLaws: ReadonlyArray<AuthorizationLaw> = [...anonymousLaws, ...tokenLaws, ...whoLaws]
