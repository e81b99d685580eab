import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import {
  type ManagementPrivileges,
  allManagementPrivileges,
  managementScope,
  noManagementPrivileges,
} from '@clientele/domain/authorization'
import { presentedCredential, tokenHash } from '../arbitraries/credentials.js'
import { managementPrivileges } from '../arbitraries/management-privileges.js'
import { type AuthorizationLaw, authorizationLaw } from './authorization-rules.js'
import { codeOf } from './outcome.js'

const hash = tokenHash()
const some = managementPrivileges()
const management = 'specification §5.3'

const permitted = (granted: ManagementPrivileges, needed: ManagementPrivileges): boolean =>
  needed.every((each) => granted.includes(each))

const latticeLaws: ReadonlyArray<AuthorizationLaw> = [
  authorizationLaw(
    'more-management-privileges-never-permit-less',
    'more privileges of an operator never permit less',
    management,
    [some, some, some],
    ({ permitsManagement, unionOfManagement }) =>
      (granted, added, needed) => {
        if (permitsManagement(granted)(needed)) assert.ok(permitsManagement(unionOfManagement(granted, added))(needed))
      },
  ),
  authorizationLaw(
    'management-privileges-permit-themselves',
    'privileges of an operator permit what needs all of them, and what needs none',
    management,
    [some],
    ({ permitsManagement }) =>
      (granted) => {
        assert.ok(permitsManagement(granted)(granted))
        assert.ok(permitsManagement(granted)(noManagementPrivileges))
        assert.ok(permitsManagement(allManagementPrivileges)(granted))
      },
  ),
  authorizationLaw(
    'management-needs-every-privilege',
    'what needs several privileges needs each of them',
    management,
    [some, some],
    ({ permitsManagement }) =>
      (granted, needed) =>
        assert.is(permitsManagement(granted)(needed), permitted(granted, needed)),
  ),
  authorizationLaw(
    'management-scope-is-read-as-written',
    'the privileges of a scope are those that were written, in any order; an unknown one is refused',
    'RFC 6749 §3.3',
    [some, fc.string()],
    ({ parseManagementPrivileges }) =>
      (written, text) => {
        const expected = written.length === 0 ? O.none : O.some(written)
        assert.equal(parseManagementPrivileges(managementScope(written)), expected)
        assert.equal(parseManagementPrivileges([...written].reverse().join(' ')), expected)
        if (!allManagementPrivileges.some((each) => each === text))
          assert.equal(parseManagementPrivileges([...written, text].join(' ')), O.none)
      },
  ),
]

const operatorLaws: ReadonlyArray<AuthorizationLaw> = [
  authorizationLaw(
    'master-token-counts-by-its-hash',
    'only a master token, by its hash, is recognized as the operator’s, with all privileges',
    management,
    [hash, hash, hash, fc.boolean(), some],
    ({ authorizeOperator, presentedToken }) =>
      (master, previous, other, countsElsewhere, needed) => {
        const presented = presentedToken(master, previous)
        for (const each of [master, previous])
          assert.is(codeOf(authorizeOperator(presented(each), countsElsewhere, needed)), 'permitted')
        const isMaster = other === master || other === previous
        assert.is(codeOf(authorizeOperator(presented(other), countsElsewhere, needed)) === 'permitted', isMaster)
      },
  ),
  authorizationLaw(
    'operators-need-their-privileges',
    'an operator’s request is refused without a valid credential for it, and without its privileges',
    'RFC 6750 §3.1',
    [presentedCredential(), fc.boolean(), some],
    ({ authorizeOperator }) =>
      (credential, countsElsewhere, needed) => {
        const granted = credential.kind === 'operator_token' && permitted(credential.privileges, needed)
        const expected = {
          none: 'missing_token',
          unusable: 'invalid_token',
          token: countsElsewhere ? 'insufficient_scope' : 'invalid_token',
          operator_token: granted ? 'permitted' : 'insufficient_scope',
          store: 'permitted',
          master: 'permitted',
        }
        assert.is(codeOf(authorizeOperator(credential, countsElsewhere, needed)), expected[credential.kind])
      },
  ),
]

/** Authorization of operators, and their privileges. */
export const managementLaws: ReadonlyArray<AuthorizationLaw> = [...latticeLaws, ...operatorLaws]
