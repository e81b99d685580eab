import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import {
  type ManagementPrivileges,
  type PresentedCredential,
  allManagementPrivileges,
  allPrivileges,
  isOperators,
  managementScope,
} from '@clientele/domain/authorization'
import { secondsAfter } from '@clientele/domain/kernel'
import { epochSecond, managementPrivileges, presentedCredential, tokenHash } from '../arbitraries/credentials.js'
import { registeredClient } from '../arbitraries/registration.js'
import { type BrokenLaw, type CheckParameters, brokenAmong, codeOf, valueOf } from './law.js'
import {
  type AuthorizationLaw,
  type AuthorizationRules,
  boundLaws,
  law,
  lawsOf,
  orderLaws,
  registrationScopeLaws,
} from './privilege-laws.js'
import { ceilingLaws, registrantLaws, registrationLaws, updateLaws } from './registrant-laws.js'

const client = registeredClient()
const found = fc.option(client).map(O.fromNullable)
const hash = tokenHash()
const at = epochSecond()
const unknownIsUnauthorized = 'RFC 7592 §2'

/** Authorization to read, update and delete a client. */
const accessLaws: ReadonlyArray<AuthorizationLaw> = [
  ...lawsOf('RFC 6750 §3.1', {
    'configuration-needs-a-credential': law(
      'a missing credential is told as missing, and an unusable one as invalid, whether or not the client exists',
      [found, at],
      ({ authorizeConfiguration }, any, now) => {
        assert.is(codeOf(authorizeConfiguration({ kind: 'none' }, any, now)), 'missing_token')
        assert.is(codeOf(authorizeConfiguration({ kind: 'unusable' }, any, now)), 'invalid_token')
      },
    ),
  }),
  ...lawsOf(unknownIsUnauthorized, {
    'unknown-client-is-refused-like-another': law(
      'a token gets the same refusal for an unknown client as for another client',
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
    'only-operators-learn-that-a-client-is-unknown': law(
      'only an operator learns that a client does not exist',
      [presentedCredential(), at],
      ({ authorizeConfiguration }, credential, now) =>
        assert.is(
          codeOf(authorizeConfiguration(credential, O.none, now)) === 'unknown_client',
          isOperators(credential),
        ),
    ),
  }),
  ...lawsOf('specification §5.2', {
    'own-token-opens-the-client': law(
      'the registration access token opens its client with the privileges of the registration, the master token without limits',
      [client, at],
      ({ authorizeConfiguration }, own, now) => {
        const presented = { kind: 'token', hash: own.registration_access_token.hash } as const
        const opened = (credential: PresentedCredential) =>
          valueOf(authorizeConfiguration(credential, O.some(own), now))
        assert.equal(opened(presented), { client: own, granted: own.privileges })
        assert.equal(opened({ kind: 'master' }), { client: own, granted: allPrivileges })
      },
    ),
  }),
  ...lawsOf('RFC 7592 §2.2', {
    'preceding-token-opens-the-client-until-its-end': law(
      'the token before the newest one authorizes its client like that one before its end, and never from then on',
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
  }),
]

const some = managementPrivileges()
const management = 'specification §5.3'

const permitted = (granted: ManagementPrivileges, needed: ManagementPrivileges): boolean =>
  needed.every((each) => granted.includes(each))

/** Authorization of operators, and their privileges. */
export const managementLaws: ReadonlyArray<AuthorizationLaw> = [
  ...lawsOf(management, {
    'management-needs-every-privilege': law(
      'what needs several privileges needs each of them',
      [some, some],
      ({ permitsManagement }, granted, needed) => {
        for (const each of [needed, ...allManagementPrivileges.map((one) => [one])])
          assert.is(permitsManagement(granted)(each), permitted(granted, each))
      },
    ),
    'master-token-counts-by-its-hash': law(
      'only a master token, by its hash, is recognized as the operator’s, with all privileges',
      [hash, hash, hash, fc.boolean(), some],
      ({ authorizeOperator, presentedToken }, master, previous, other, countsElsewhere, needed) => {
        const presented = presentedToken(master, previous)
        for (const each of [master, previous])
          assert.is(codeOf(authorizeOperator(presented(each), countsElsewhere, needed)), 'permitted')
        const isMaster = other === master || other === previous
        assert.is(codeOf(authorizeOperator(presented(other), countsElsewhere, needed)) === 'permitted', isMaster)
      },
    ),
  }),
  ...lawsOf('RFC 6749 §3.3', {
    'management-scope-is-read-as-written': law(
      'the privileges of a scope are those that were written, in any order; an unknown one is refused',
      [some, fc.string()],
      ({ parseManagementPrivileges }, written, text) => {
        const expected = written.length === 0 ? O.none : O.some(written)
        assert.equal(parseManagementPrivileges(managementScope(written)), expected)
        assert.equal(parseManagementPrivileges([...written].reverse().join(' ')), expected)
        if (!allManagementPrivileges.some((each) => each === text))
          assert.equal(parseManagementPrivileges([...written, text].join(' ')), O.none)
      },
    ),
  }),
  ...lawsOf('RFC 6750 §3.1', {
    'operators-need-their-privileges': law(
      'an operator’s request is refused without a valid credential for it, and without its privileges',
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
  }),
]

/** All laws of authorization: privileges, who is granted which, and what they permit. */
export const authorizationLaws: ReadonlyArray<AuthorizationLaw> = [
  ...orderLaws,
  ...boundLaws,
  ...registrationScopeLaws,
  ...registrantLaws,
  ...ceilingLaws,
  ...registrationLaws,
  ...updateLaws,
  ...accessLaws,
  ...managementLaws,
]

/** The laws of authorization that these rules violate. */
export const brokenLaws: (
  rules: AuthorizationRules,
  parameters?: CheckParameters,
) => ReadonlyArray<BrokenLaw<AuthorizationRules>> = brokenAmong(authorizationLaws)
