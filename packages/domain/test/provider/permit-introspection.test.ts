import { law, registeredClient } from '@clientele/testing'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type IntrospectionPolicy,
  type IntrospectionRequest,
  eachClientOfMaster,
  permitsIntrospection,
} from '../../src/provider/scope.js'

const Introspection = suite('permitsIntrospection')
const it = law(Introspection)

const resources = ['https://files.example/', 'https://mail.example/'] as const
const ids = ['server-of-files', 'server-of-mail', 'an-application', 'another'] as const
const id = fc.constantFrom(...ids)

const registrant = fc.constantFrom('nobody' as const, 'token' as const, 'operator_token' as const, 'master' as const)

const client = (): fc.Arbitrary<IntrospectionRequest['client']> =>
  fc
    .tuple(registeredClient(), id, fc.constantFrom('none' as const, 'client_secret_basic' as const), registrant)
    .map(([any, client_id, token_endpoint_auth_method, registered_by]) => ({
      client_id: client_id as typeof any.client_id,
      metadata: { ...any.metadata, token_endpoint_auth_method },
      registered_by,
    }))
const token = (): fc.Arbitrary<IntrospectionRequest['token']> =>
  fc.record({
    kind: fc.constantFrom('access_token' as const, 'refresh_token' as const),
    client_id: id,
    audience: fc.uniqueArray(fc.constantFrom(...resources)),
  })
const rule = fc.record(
  { resource: fc.constantFrom(...resources), scope: fc.constant([]), introspected_by: fc.array(id) },
  { requiredKeys: ['resource', 'scope'] },
)
const policy = (): fc.Arbitrary<IntrospectionPolicy> =>
  fc.record({
    resources: fc.option(fc.array(rule), { nil: undefined }),
    introspectionClients: fc.array(fc.oneof(id, fc.constant(eachClientOfMaster))),
  })

const nothingNamed: IntrospectionPolicy = { resources: undefined, introspectionClients: [] }

it('every client learns of its own tokens, whatever the policy', [policy(), client(), token()], (rules, any, one) =>
  assert.ok(permitsIntrospection(rules)({ client: any, token: { ...one, client_id: any.client_id } })),
)

it(
  'where the operator names no resource server, a client learns of its own tokens only',
  [client(), token()],
  (any, one) =>
    assert.is(permitsIntrospection(nothingNamed)({ client: any, token: one }), any.client_id === one.client_id),
)

it(
  'no client without authentication, and none that the master token did not register, learns of the tokens of others',
  [policy(), client(), token()],
  (rules, any, one) => {
    const { metadata, registered_by, client_id } = any
    if (metadata.token_endpoint_auth_method !== 'none' && registered_by === 'master') return
    assert.is(permitsIntrospection(rules)({ client: any, token: one }), client_id === one.client_id)
  },
)

it('a refresh token is shown to its client only', [policy(), client(), token()], (rules, any, one) =>
  assert.is(
    permitsIntrospection(rules)({ client: any, token: { ...one, kind: 'refresh_token' } }),
    any.client_id === one.client_id,
  ),
)

it(
  'whoever learns of the token of another is named by the operator for it',
  [policy(), client(), token()],
  (rules, any, one) => {
    if (any.client_id === one.client_id || !permitsIntrospection(rules)({ client: any, token: one })) return
    const named = (rules.resources ?? []).some(
      ({ resource, introspected_by = [] }) =>
        one.audience.some((each) => each === resource) && introspected_by.includes(any.client_id),
    )
    const isOfMaster = rules.introspectionClients.includes(eachClientOfMaster)
    assert.ok(named || isOfMaster || rules.introspectionClients.includes(any.client_id))
  },
)

it('a longer policy never shows less', [policy(), policy(), client(), token()], (rules, more, any, one) => {
  const longer = {
    resources: [...(rules.resources ?? []), ...(more.resources ?? [])],
    introspectionClients: [...rules.introspectionClients, ...more.introspectionClients],
  }
  if (permitsIntrospection(rules)({ client: any, token: one }))
    assert.ok(permitsIntrospection(longer)({ client: any, token: one }))
})

Introspection('a resource server learns of the tokens for its resource, and not of those for another', () => {
  const [files, mail] = resources
  const rules: IntrospectionPolicy = {
    resources: [{ resource: files, scope: [], introspected_by: ['server-of-files'] }],
    introspectionClients: ['server-of-all'],
  }
  const permitted = (client_id: string, audience: ReadonlyArray<string>): boolean => {
    const [any] = fc.sample(registeredClient(), 1)
    if (any === undefined) throw new Error('there is no sample')
    const asking = {
      client_id: client_id as typeof any.client_id,
      metadata: { ...any.metadata, token_endpoint_auth_method: 'private_key_jwt' as const },
      registered_by: 'master' as const,
    }
    const shown = { kind: 'access_token' as const, client_id: 'an-application', audience }
    return permitsIntrospection(rules)({ client: asking, token: shown })
  }
  assert.equal([permitted('server-of-files', [files]), permitted('server-of-files', [files, mail])], [true, true])
  assert.equal([permitted('server-of-files', [mail]), permitted('server-of-files', [])], [false, false])
  assert.equal([permitted('server-of-all', [mail]), permitted('server-of-all', [])], [true, true])
})

Introspection.run()
