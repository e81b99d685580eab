import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import {
  type Privileges,
  allPrivileges,
  grantPrivilege,
  noPrivileges,
  registrationScopeValues,
} from '@clientele/domain/authorization'
import { privileges, registrationScope, scopeToken } from '../arbitraries/privileges.js'
import { type AuthorizationLaw, type AuthorizationRules, authorizationLaw } from './authorization-rules.js'
import { codeOf, isPermitted, valueOf } from './law.js'

/** The privileges of each scope value, independent of the table under test. */
export const permittedByScopeValue: Readonly<Record<string, Privileges>> = {
  'client-reg': allPrivileges,
  'client-reg:grant:code': grantPrivilege('authorization_code'),
  'client-reg:grant:implicit': grantPrivilege('implicit'),
  'client-reg:grant:refresh': grantPrivilege('refresh_token'),
  'client-reg:grant:password': grantPrivilege('password'),
  'client-reg:grant:client': grantPrivilege('client_credentials'),
  'client-reg:grant:jwt': grantPrivilege('urn:ietf:params:oauth:grant-type:jwt-bearer'),
  'client-reg:grant:saml': grantPrivilege('urn:ietf:params:oauth:grant-type:saml2-bearer'),
  'client-reg:scope': { ...noPrivileges, scope: 'any' },
  'client-reg:scope:openid': { ...noPrivileges, scope: ['openid'] },
  'client-reg:data': { ...noPrivileges, data: true },
  'client-reg:set-id': { ...noPrivileges, preferred_client_id: true },
  'client-reg:set-secret': { ...noPrivileges, preferred_client_secret: true },
}

/** The grant types that scope values name. */
export const grantTypesByScopeValue: ReadonlyArray<string> = Object.values(permittedByScopeValue).flatMap(
  ({ grant_types }) => (grant_types === 'any' ? [] : grant_types),
)

const scope = registrationScope()
const oneToken = scopeToken()
const otherToken = scopeToken()
const scopeValues = 'specification §5.1'

const privilegesBy =
  ({ parseRegistrationScope }: AuthorizationRules) =>
  (text: string): Privileges =>
    valueOf(parseRegistrationScope(text)).privileges

const whatItPermits: ReadonlyArray<AuthorizationLaw> = [
  authorizationLaw(
    'scope-value-permits-what-it-names',
    'each scope value grants exactly the privileges of the table',
    scopeValues,
    [fc.constantFrom(...Object.entries(permittedByScopeValue))],
    (rules, [value, permitted]) => assert.equal(privilegesBy(rules)(value), permitted),
  ),
  authorizationLaw(
    'scope-values-add-up',
    'the privileges of a scope are the union of those of its values',
    'RFC 6749 §3.3',
    [scope, scope],
    (rules, one, other) => {
      const privilegesOf = privilegesBy(rules)
      assert.equal(privilegesOf(`${one} ${other}`), rules.union(privilegesOf(one), privilegesOf(other)))
    },
  ),
  authorizationLaw(
    'appended-text-is-one-scope-value',
    'client-reg:scope: permits exactly the scope value that is appended',
    scopeValues,
    [oneToken, otherToken],
    (rules, value, other) => {
      const permits = rules.permits(privilegesBy(rules)(`client-reg:scope:${value}`))
      assert.is(permits({ ...noPrivileges, scope: [other] }), value === other)
      assert.not(permits({ ...noPrivileges, scope: 'any' }))
    },
  ),
]

const howItIsRead: ReadonlyArray<AuthorizationLaw> = [
  authorizationLaw(
    'unknown-scope-value-spoils-the-scope',
    'one unknown value makes the whole scope invalid',
    'RFC 6749 §5.2',
    [scope, oneToken],
    ({ parseRegistrationScope }, known, token) =>
      assert.is(codeOf(parseRegistrationScope(`${known} unknown-${token}`)), 'invalid_scope'),
  ),
  authorizationLaw(
    'any-value-is-a-scope-or-refused',
    'every value is a scope or refused as invalid_scope',
    'RFC 6749 §5.2',
    [fc.oneof(fc.anything(), fc.string())],
    ({ parseRegistrationScope }, input) => {
      const parsed = parseRegistrationScope(input)
      if (isPermitted(parsed)) assert.type(input, 'string')
      else assert.is(codeOf(parsed), 'invalid_scope')
    },
  ),
  authorizationLaw(
    'scope-is-a-fixed-point',
    'a parsed scope parses again to the same',
    'RFC 6749 §3.3',
    [scope],
    ({ parseRegistrationScope }, text) => {
      const parsed = parseRegistrationScope(text)
      assert.equal(parseRegistrationScope(valueOf(parsed).scope), parsed)
    },
  ),
]

const isNamed = (grantType: string): boolean => grantTypesByScopeValue.includes(grantType)

const whatIsNeeded: ReadonlyArray<AuthorizationLaw> = [
  authorizationLaw(
    'needed-scope-suffices',
    'the needed scope values grant the missing privileges, and are known ones',
    'RFC 6750 §3.1',
    [privileges()],
    (rules, missing) => {
      const needed = rules.neededScopeValues(missing)
      assert.ok(needed.every((value) => registrationScopeValues.includes(value)))
      if (needed.length > 0) assert.ok(rules.permits(privilegesBy(rules)(needed.join(' ')))(missing))
      assert.is(needed.length === 0, rules.permits(noPrivileges)(missing))
    },
  ),
  authorizationLaw(
    'needed-scope-is-least',
    'each needed scope value grants a missing privilege, and client-reg is needed only if lesser ones do not suffice',
    'RFC 6750 §3.1',
    [privileges()],
    (rules, missing) => {
      const needed = rules.neededScopeValues(missing)
      for (const value of needed)
        assert.not(rules.isNothing(rules.intersection(privilegesBy(rules)(value), missing)), value)
      const lesserWouldDo = missing.grant_types !== 'any' && missing.grant_types.every(isNamed)
      assert.is(needed.includes('client-reg'), !lesserWouldDo)
    },
  ),
]

/** The privileges of the scope of an initial access token. */
export const registrationScopeLaws: ReadonlyArray<AuthorizationLaw> = [
  ...whatItPermits,
  ...howItIsRead,
  ...whatIsNeeded,
]
