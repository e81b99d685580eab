import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { authorizeConfiguration } from '../../src/authorization/authorize-configuration.js'
import { allPrivileges } from '../../src/authorization/privileges.js'
import { invalidToken, missingToken, unknownClient } from '../../src/errors.js'
import { law, registeredClient, tokenHash } from '../../src/testing/index.js'

const AuthorizeConfiguration = suite('authorizeConfiguration')
const it = law(AuthorizeConfiguration)
const client = registeredClient()
const found = fc.option(client).map(O.fromNullable)

it('without a credential one is missing, whether or not the client exists', [found], (any) =>
  assert.equal(authorizeConfiguration({ kind: 'none' }, any), E.left(missingToken)),
)

it('an unusable credential is not valid, whether or not the client exists', [found], (any) =>
  assert.equal(authorizeConfiguration({ kind: 'unusable' }, any), E.left(invalidToken)),
)

it(
  'any token is not valid for an unknown client, in the same words as for somebody else’s',
  [client, tokenHash()],
  (other, hash) => {
    const presented = { kind: 'token', hash } as const
    assert.equal(authorizeConfiguration(presented, O.none), E.left(invalidToken))
    assert.equal(authorizeConfiguration(presented, O.some(other)), authorizeConfiguration(presented, O.none))
  },
)

it(
  'the registration access token of a client opens it, and holds what its registration was allowed',
  [client],
  (own) => {
    const presented = { kind: 'token', hash: own.registration_access_token.hash } as const
    assert.equal(authorizeConfiguration(presented, O.some(own)), E.right({ client: own, held: own.privileges }))
  },
)

it('the master token opens any client without bound', [client], (any) =>
  assert.equal(authorizeConfiguration({ kind: 'master' }, O.some(any)), E.right({ client: any, held: allPrivileges })),
)

AuthorizeConfiguration('only the master token learns that a client does not exist', () =>
  assert.equal(authorizeConfiguration({ kind: 'master' }, O.none), E.left(unknownClient)),
)

AuthorizeConfiguration.run()
