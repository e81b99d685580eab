import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { allPrivileges } from '@clientele/domain'
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
    'without a credential one is missing, whether or not the client exists',
    'RFC 6750 §3',
    [found],
    ({ authorizeConfiguration }) =>
      (any) =>
        assert.is(codeOf(authorizeConfiguration({ kind: 'none' }, any)), 'missing_token'),
  ),
  authorizationLaw(
    'configuration-refuses-unusable-credentials',
    'an unusable credential is not valid, whether or not the client exists',
    'RFC 6750 §3.1',
    [found],
    ({ authorizeConfiguration }) =>
      (any) =>
        assert.is(codeOf(authorizeConfiguration({ kind: 'unusable' }, any)), 'invalid_token'),
  ),
  authorizationLaw(
    'unknown-client-is-told-as-somebody-elses',
    'a token is not valid for an unknown client, in the same words as for somebody else’s',
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
    'the registration access token of a client opens it, and holds what its registration was allowed',
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
    'the master token opens any client without bound',
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
    'only-the-master-token-learns-that-a-client-is-unknown',
    'only the master token learns that a client does not exist',
    unknownIsUnauthorized,
    [presentedCredential()],
    ({ authorizeConfiguration }) =>
      (credential) =>
        assert.is(
          codeOf(authorizeConfiguration(credential, O.none)) === 'unknown_client',
          credential.kind === 'master',
        ),
  ),
]

const masterLaws: ReadonlyArray<AuthorizationLaw> = [
  authorizationLaw(
    'master-token-counts-by-its-hash',
    'the master token counts, by its hash, and no other token does',
    'specification §5.3',
    [hash, hash, fc.boolean()],
    ({ authorizeOperator, presentedToken }) =>
      (master, other, countsElsewhere) => {
        const presented = presentedToken(master)
        assert.is(codeOf(authorizeOperator(presented(master), countsElsewhere)), 'permitted')
        assert.is(codeOf(authorizeOperator(presented(other), countsElsewhere)) === 'permitted', master === other)
      },
  ),
  authorizationLaw(
    'operators-need-the-master-token',
    'a request of the operator is refused without a credential, with a bad one, and with one that counts elsewhere',
    'specification §5.3',
    [presentedCredential(), fc.boolean()],
    ({ authorizeOperator }) =>
      (credential, countsElsewhere) => {
        const expected = {
          none: 'missing_token',
          unusable: 'invalid_token',
          token: countsElsewhere ? 'insufficient_scope' : 'invalid_token',
          master: 'permitted',
        }
        assert.is(codeOf(authorizeOperator(credential, countsElsewhere)), expected[credential.kind])
      },
  ),
]

/** Who may read, update and delete a client, and who is the operator. */
export const accessLaws: ReadonlyArray<AuthorizationLaw> = [...configurationLaws, ...masterLaws]
