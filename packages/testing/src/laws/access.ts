import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import {
  type ManagementPrivileges,
  allManagementPrivileges,
  allPrivileges,
  isOperators,
  managementScope,
} from '@clientele/domain/authorization'
import { secondsAfter } from '@clientele/domain/kernel'
import { epochSecond, managementPrivileges, presentedCredential, tokenHash } from '../arbitraries/credentials.js'
import { registeredClient } from '../arbitraries/registration.js'
import { type AuthorizationLaw, authorizationLaw } from './authorization-rules.js'
import { codeOf, valueOf } from './law.js'

const client = registeredClient()
const found = fc.option(client).map(O.fromNullable)
const hash = tokenHash()
const at = epochSecond()
const unknownIsUnauthorized = 'RFC 7592 §2'

const configurationLaws: ReadonlyArray<AuthorizationLaw> = [
  authorizationLaw(
    'configuration-needs-a-credential',
    'a request without a credential is refused for the missing one, whether or not the client exists',
    'RFC 6750 §3',
    [found, at],
    ({ authorizeConfiguration }, any, now) =>
      assert.is(codeOf(authorizeConfiguration({ kind: 'none' }, any, now)), 'missing_token'),
  ),
  authorizationLaw(
    'configuration-refuses-unusable-credentials',
    'an unusable credential is invalid, whether or not the client exists',
    'RFC 6750 §3.1',
    [found, at],
    ({ authorizeConfiguration }, any, now) =>
      assert.is(codeOf(authorizeConfiguration({ kind: 'unusable' }, any, now)), 'invalid_token'),
  ),
  authorizationLaw(
    'unknown-client-is-refused-like-another',
    'a token gets the same refusal for an unknown client as for another client',
    unknownIsUnauthorized,
    [client, hash, at],
    ({ authorizeConfiguration }, other, any, now) => {
      const presented = { kind: 'token', hash: any } as const
      assert.is(codeOf(authorizeConfiguration(presented, O.none, now)), 'invalid_token')
      assert.equal(
        authorizeConfiguration(presented, O.some(other), now),
        authorizeConfiguration(presented, O.none, now),
      )
    },
  ),
  authorizationLaw(
    'own-token-opens-the-client',
    'the registration access token authorizes its client, with the privileges of the registration',
    'specification §5.2',
    [client, at],
    ({ authorizeConfiguration }, own, now) => {
      const presented = { kind: 'token', hash: own.registration_access_token.hash } as const
      assert.equal(valueOf(authorizeConfiguration(presented, O.some(own), now)), {
        client: own,
        granted: own.privileges,
      })
    },
  ),
  authorizationLaw(
    'preceding-token-opens-the-client-until-its-end',
    'the token before the newest one authorizes its client like that one before its end, and never from then on',
    'RFC 7592 §2.2',
    [client, hash, at, fc.nat(100)],
    ({ authorizeConfiguration }, any, preceding, now, seconds) => {
      const until = secondsAfter(now, seconds)
      const own = { ...any, preceding_token: { hash: preceding, until } }
      const presented = { kind: 'token', hash: preceding } as const
      const newest = { kind: 'token', hash: own.registration_access_token.hash } as const
      assert.equal(
        authorizeConfiguration(presented, O.some(own), now),
        authorizeConfiguration(newest, seconds > 0 ? O.some(own) : O.none, now),
      )
      assert.is(codeOf(authorizeConfiguration(presented, O.some(own), until)), 'invalid_token')
    },
  ),
  authorizationLaw(
    'master-token-opens-any-client',
    'the master token authorizes every client without limits',
    'specification §5.3',
    [client, at],
    ({ authorizeConfiguration }, any, now) =>
      assert.equal(valueOf(authorizeConfiguration({ kind: 'master' }, O.some(any), now)), {
        client: any,
        granted: allPrivileges,
      }),
  ),
  authorizationLaw(
    'only-operators-learn-that-a-client-is-unknown',
    'only an operator learns that a client does not exist',
    unknownIsUnauthorized,
    [presentedCredential(), at],
    ({ authorizeConfiguration }, credential, now) =>
      assert.is(codeOf(authorizeConfiguration(credential, O.none, now)) === 'unknown_client', isOperators(credential)),
  ),
]

/** Authorization to read, update and delete a client. */
export const accessLaws: ReadonlyArray<AuthorizationLaw> = configurationLaws

const some = managementPrivileges()
const management = 'specification §5.3'

const permitted = (granted: ManagementPrivileges, needed: ManagementPrivileges): boolean =>
  needed.every((each) => granted.includes(each))

const latticeLaws: ReadonlyArray<AuthorizationLaw> = [
  authorizationLaw(
    'management-needs-every-privilege',
    'what needs several privileges needs each of them',
    management,
    [some, some],
    ({ permitsManagement }, granted, needed) =>
      assert.is(permitsManagement(granted)(needed), permitted(granted, needed)),
  ),
  authorizationLaw(
    'management-scope-is-read-as-written',
    'the privileges of a scope are those that were written, in any order; an unknown one is refused',
    'RFC 6749 §3.3',
    [some, fc.string()],
    ({ parseManagementPrivileges }, written, text) => {
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
    ({ authorizeOperator, presentedToken }, master, previous, other, countsElsewhere, needed) => {
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
    ({ authorizeOperator }, credential, countsElsewhere, needed) => {
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
