import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { allPrivileges, noPrivileges } from '@clientele/domain/authorization'
import { isSameJson, secondsAfter } from '@clientele/domain/kernel'
import { noCeilings } from '@clientele/domain/policy'
import { effectiveMetadata } from '../arbitraries/effective-metadata.js'
import { initialAccessToken } from '../arbitraries/initial-access-token.js'
import { issued } from '../arbitraries/generated-credentials.js'
import { ceilings, privileges } from '../arbitraries/privileges.js'
import { presenting } from '../arbitraries/registration-facts.js'
import { registrationMode } from '../arbitraries/settings.js'
import { validate } from '../rule-book.js'
import { type AuthorizationLaw, authorizationLaw } from './authorization-rules.js'
import { codeOf, isPermitted, valueOf } from './outcome.js'

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
    ({ authorizeRegistrant, permits, ceilingOf }) =>
      (mode, both, token, generated, withToken) => {
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
    ({ authorizeRegistrant, ceilingOf }) =>
      (mode, both, generated) => {
        const authorized = authorizeRegistrant(mode, both)({ kind: 'master' }, O.none, generated.at)
        assert.equal([valueOf(authorized).granted, ceilingOf(mode, both, 'master')], [allPrivileges, allPrivileges])
      },
  ),
  authorizationLaw(
    'update-adds-nothing-that-registration-would-not',
    'an update by the client cannot add privileges that no registration can get with any token at present',
    'docs/decisions/0054-one-bound-for-registrations-and-updates.md',
    [registrationMode(), ceilings(), fc.constantFrom('nobody', 'token'), any, metadata, metadata, initialAccessToken()],
    (rules) => (mode, both, by, recorded, current, next, token) => {
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
    'lower-ceiling-never-permits-more',
    'a lower ceiling never permits more in an update, and the absence of a ceiling permits the most',
    policyIsData,
    [any, any, any, metadata, metadata],
    ({ permitUpdate, intersection }) =>
      (granted, ceiling, lower, current, next) => {
        const permitted = (most: typeof ceiling) => isPermitted(permitUpdate(granted, most, current)(next))
        assert.ok(!permitted(intersection(ceiling, lower)) || permitted(ceiling))
        assert.ok(!permitted(ceiling) || permitted(allPrivileges))
      },
  ),
  authorizationLaw(
    'nothing-is-kept-above-the-ceiling',
    'an update cannot retain present values that exceed the ceiling',
    policyIsData,
    [fc.constantFrom('implicit', 'password'), any],
    ({ permitUpdate }) =>
      (grant, granted) => {
        const current = { ...validate({ grant_types: [] }).metadata, grant_types: [grant] }
        const ceiling = { ...allPrivileges, grant_types: ['authorization_code'] }
        assert.is(codeOf(permitUpdate(granted, ceiling, current)(current)), 'insufficient_scope')
      },
  ),
]
