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
import { type EpochSeconds, isSameJson, secondsAfter } from '@clientele/domain/kernel'
import { noCeilings } from '@clientele/domain/policy'
import { epochSecond, initialAccessToken, presentedCredential, tokenHash } from '../arbitraries/credentials.js'
import { ceilings, privileges, scopeValues } from '../arbitraries/privileges.js'
import { effectiveMetadata, issued, presenting, registrationMode } from '../arbitraries/registration.js'
import { type AuthorizationLaw, type AuthorizationRules, authorizationLaw } from './authorization-rules.js'
import { type Outcome, codeOf, isPermitted, valueOf } from './law.js'
import { validate } from '../rule-book.js'

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
    ({ authorizeRegistrant }, at, found) =>
      assert.is(codeOf(authorizeRegistrant(managed, noCeilings)({ kind: 'none' }, found, at)), 'missing_token'),
  ),
  authorizationLaw(
    'open-registration-gives-three-grants',
    'open registration without a token permits exactly the three grants and the open scope values',
    registrationIs,
    [openMode, now],
    ({ authorizeRegistrant, union }, open, at) => {
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
    ({ authorizeRegistrant }, any, at, found) =>
      assert.is(codeOf(authorizeRegistrant(any, noCeilings)({ kind: 'unusable' }, found, at)), 'invalid_token'),
  ),
  authorizationLaw(
    'unknown-token-is-not-anonymous',
    'an unknown token is refused, not treated as absent',
    invalidToken,
    [mode, now, hash],
    ({ authorizeRegistrant }, any, at, unknown) =>
      assert.is(codeOf(authorizeRegistrant(any, noCeilings)(by({ hash: unknown }), O.none, at)), 'invalid_token'),
  ),
]

const tokenLaws: ReadonlyArray<AuthorizationLaw> = [
  authorizationLaw(
    'token-of-another-hash-is-invalid',
    'a token that was found for another hash is invalid',
    invalidToken,
    [mode, inForce, hash],
    ({ authorizeRegistrant }, any, token, other) =>
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
    (rules, any, token) =>
      assert.equal(valueOf(presented(rules, any, token)), {
        granted: rules.union(rules.openPrivileges(any), token.privileges),
        consumedToken: O.some(token.hash),
        by: 'token',
      }),
  ),
  authorizationLaw(
    'token-expires',
    'a token is invalid from its expiry on',
    invalidToken,
    [mode, inForce, fc.nat(100_000)],
    (rules, any, token, later) =>
      assert.is(codeOf(presented(rules, any, token, secondsAfter(token.expires_at, later))), 'invalid_token'),
  ),
]

const whoLaws: ReadonlyArray<AuthorizationLaw> = [
  authorizationLaw(
    'master-token-holds-everything',
    'the master token has all privileges and consumes no token',
    tokenIsGoodForOne,
    [mode, now, maybeToken],
    ({ authorizeRegistrant }, any, at, found) =>
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
    ({ authorizeRegistrant }, any, at, credential, found) => {
      const authorized = authorizeRegistrant(any, noCeilings)(credential, found, at)
      const kinds = { none: 'nobody', unusable: 'nobody', store: 'master' } as const
      const by = credential.kind in kinds ? kinds[credential.kind as keyof typeof kinds] : credential.kind
      if (isPermitted(authorized)) assert.is(valueOf(authorized).by, by)
    },
  ),
]

/** The registrant and its privileges. */
export const registrantLaws: ReadonlyArray<AuthorizationLaw> = [...anonymousLaws, ...tokenLaws, ...whoLaws]

const any = privileges()
const metadata = effectiveMetadata()
const policyIsData = 'docs/decisions/0018-a-policy-is-data.md'

/** The ceilings of privileges. */
export const ceilingLaws: ReadonlyArray<AuthorizationLaw> = [
  authorizationLaw(
    'ceiling-bounds-what-is-held',
    'ceilings never increase privileges, and no registrant exceeds them',
    policyIsData,
    [registrationMode(), ceilings(), initialAccessToken(), issued(), fc.boolean()],
    ({ authorizeRegistrant, permits, ceilingOf }, mode, both, token, generated, withToken) => {
      const facts = presenting(token, generated, {})
      const credential = withToken ? facts.credential : ({ kind: 'none' } as const)
      const under = authorizeRegistrant(mode, both)(credential, facts.token, generated.at)
      const free = authorizeRegistrant(mode, noCeilings)(credential, facts.token, generated.at)
      assert.is(codeOf(under), codeOf(free))
      if (!isPermitted(under)) return
      const { granted, by } = valueOf(under)
      assert.ok(permits(valueOf(free).granted)(granted))
      assert.ok(permits(ceilingOf(mode, both, by))(granted))
    },
  ),
  authorizationLaw(
    'master-token-has-no-ceiling',
    'the master token has no ceiling',
    policyIsData,
    [registrationMode(), ceilings(), issued()],
    ({ authorizeRegistrant, ceilingOf }, mode, both, generated) => {
      const authorized = authorizeRegistrant(mode, both)({ kind: 'master' }, O.none, generated.at)
      assert.equal([valueOf(authorized).granted, ceilingOf(mode, both, 'master')], [allPrivileges, allPrivileges])
    },
  ),
  authorizationLaw(
    'update-adds-nothing-that-registration-would-not',
    'an update by the client cannot add privileges that no registration can get with any token at present',
    'docs/decisions/0054-one-bound-for-registrations-and-updates.md',
    [registrationMode(), ceilings(), fc.constantFrom('nobody', 'token'), any, metadata, metadata, initialAccessToken()],
    (rules, mode, both, by, recorded, current, next, token) => {
      const may = rules.addableBy(mode)(by, recorded)
      if (!isPermitted(rules.permitUpdate(may, rules.ceilingOf(mode, both, by), current)(next))) return
      const had = { ...rules.requestedPrivileges(current), data: isSameJson(current.data, next.data) }
      const added = rules.missingPrivileges(had)(rules.requestedPrivileges(next))
      const credential = by === 'token' ? { kind: by, hash: token.hash } : ({ kind: 'none' } as const)
      const found = O.some({ ...token, privileges: allPrivileges })
      const today = rules.authorizeRegistrant(mode, both)(credential, found, secondsAfter(token.expires_at, -1))
      assert.ok(rules.permits(isPermitted(today) ? valueOf(today).granted : noPrivileges)(added))
    },
  ),
  authorizationLaw(
    'nothing-is-kept-above-the-ceiling',
    'an update cannot retain present values that exceed the ceiling',
    policyIsData,
    [fc.constantFrom('implicit', 'password'), any],
    ({ permitUpdate }, grant, granted) => {
      const current = { ...validate({ grant_types: [] }).metadata, grant_types: [grant] }
      const ceiling = { ...allPrivileges, grant_types: ['authorization_code'] }
      assert.is(codeOf(permitUpdate(granted, ceiling, current)(current)), 'insufficient_scope')
    },
  ),
]
