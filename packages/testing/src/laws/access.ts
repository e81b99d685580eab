import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { allPrivileges, isOperators } from '@clientele/domain'
import { presentedCredential, tokenHash } from '../arbitraries/credentials.js'
import { registeredClient } from '../arbitraries/registered-client.js'
import { type AuthorizationLaw, authorizationLaw } from './authorization-rules.js'
import { codeOf, valueOf } from './outcome.js'

const client = registeredClient()
const found = fc.option(client).map(O.fromNullable)
const hash = tokenHash()
const unknownIsUnauthorized = 'RFC 7592 §2'

const configurationLaws: ReadonlyArray<AuthorizationLaw> = [
  authorizationLaw(
    'configuration-needs-a-credential',
    'a request without a credential is refused for the missing one, whether or not the client exists',
    'RFC 6750 §3',
    [found],
    ({ authorizeConfiguration }) =>
      (any) =>
        assert.is(codeOf(authorizeConfiguration({ kind: 'none' }, any)), 'missing_token'),
  ),
  authorizationLaw(
    'configuration-refuses-unusable-credentials',
    'an unusable credential is invalid, whether or not the client exists',
    'RFC 6750 §3.1',
    [found],
    ({ authorizeConfiguration }) =>
      (any) =>
        assert.is(codeOf(authorizeConfiguration({ kind: 'unusable' }, any)), 'invalid_token'),
  ),
  authorizationLaw(
    'unknown-client-is-refused-like-another',
    'a token gets the same refusal for an unknown client as for another client',
    unknownIsUnauthorized,
    [client, hash],
    ({ authorizeConfiguration }) =>
      (other, any) => {
        const presented = { kind: 'token', hash: any } as const
        assert.is(codeOf(authorizeConfiguration(presented, O.none)), 'invalid_token')
        assert.equal(authorizeConfiguration(presented, O.some(other)), authorizeConfiguration(presented, O.none))
      },
  ),
  authorizationLaw(
    'own-token-opens-the-client',
    'the registration access token authorizes its client, with the privileges of the registration',
    'specification §5.2',
    [client],
    ({ authorizeConfiguration }) =>
      (own) => {
        const presented = { kind: 'token', hash: own.registration_access_token.hash } as const
        assert.equal(valueOf(authorizeConfiguration(presented, O.some(own))), { client: own, granted: own.privileges })
      },
  ),
  authorizationLaw(
    'master-token-opens-any-client',
    'the master token authorizes every client without limits',
    'specification §5.3',
    [client],
    ({ authorizeConfiguration }) =>
      (any) =>
        assert.equal(valueOf(authorizeConfiguration({ kind: 'master' }, O.some(any))), {
          client: any,
          granted: allPrivileges,
        }),
  ),
  authorizationLaw(
    'only-operators-learn-that-a-client-is-unknown',
    'only an operator learns that a client does not exist',
    unknownIsUnauthorized,
    [presentedCredential()],
    ({ authorizeConfiguration }) =>
      (credential) =>
        assert.is(codeOf(authorizeConfiguration(credential, O.none)) === 'unknown_client', isOperators(credential)),
  ),
]

/** Authorization to read, update and delete a client. */
export const accessLaws: ReadonlyArray<AuthorizationLaw> = configurationLaws
