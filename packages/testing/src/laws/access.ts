import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { allPrivileges, isOperators } from '@clientele/domain/authorization'
import { secondsAfter } from '@clientele/domain/kernel'
import { presentedCredential, tokenHash } from '../arbitraries/credentials.js'
import { epochSecond } from '../arbitraries/generated-credentials.js'
import { registeredClient } from '../arbitraries/registered-client.js'
import { type AuthorizationLaw, authorizationLaw } from './authorization-rules.js'
import { codeOf, valueOf } from './outcome.js'

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
    ({ authorizeConfiguration }) =>
      (any, now) =>
        assert.is(codeOf(authorizeConfiguration({ kind: 'none' }, any, now)), 'missing_token'),
  ),
  authorizationLaw(
    'configuration-refuses-unusable-credentials',
    'an unusable credential is invalid, whether or not the client exists',
    'RFC 6750 §3.1',
    [found, at],
    ({ authorizeConfiguration }) =>
      (any, now) =>
        assert.is(codeOf(authorizeConfiguration({ kind: 'unusable' }, any, now)), 'invalid_token'),
  ),
  authorizationLaw(
    'unknown-client-is-refused-like-another',
    'a token gets the same refusal for an unknown client as for another client',
    unknownIsUnauthorized,
    [client, hash, at],
    ({ authorizeConfiguration }) =>
      (other, any, now) => {
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
    ({ authorizeConfiguration }) =>
      (own, now) => {
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
    ({ authorizeConfiguration }) =>
      (any, preceding, now, seconds) => {
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
    ({ authorizeConfiguration }) =>
      (any, now) =>
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
    ({ authorizeConfiguration }) =>
      (credential, now) =>
        assert.is(
          codeOf(authorizeConfiguration(credential, O.none, now)) === 'unknown_client',
          isOperators(credential),
        ),
  ),
]

/** Authorization to read, update and delete a client. */
export const accessLaws: ReadonlyArray<AuthorizationLaw> = configurationLaws
