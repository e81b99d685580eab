import { exampleClient, exampleId, law, privileges, registeredBy } from '@clientele/testing'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type PermittedScope,
  type ResourcePolicy,
  type ScopeRequest,
  type ScopeSettings,
  decideScope,
  decodeResourcePolicy,
  ownScopeValues,
} from '../../src/provider/scope.js'

const scope = suite('the scope of access tokens')
const it = law(scope)

const files = 'https://files.example/mcp'
const mail = 'https://mail.example'
const values = [
  'read',
  'write',
  'admin',
  'declared',
  'openid',
  'offline_access',
  'email',
  'client-reg',
  'client-reg:data',
]
const scopeValue = fc.constantFrom(...values)
const scopeValues = fc.uniqueArray(scopeValue)

// Without a scope.
const example = exampleClient('a')
/** `registered` undefined: the client has no scope. */
const clientOf = (
  registered: ReadonlyArray<string> | undefined,
  allowed: ScopeRequest['client']['privileges']['scope'],
): ScopeRequest['client'] => ({
  client_id: example.client_id,
  metadata: registered === undefined ? example.metadata : { ...example.metadata, scope: registered.join(' ') },
  privileges: { ...example.privileges, scope: allowed },
  registered_by: 'master',
})

const registered = fc.option(fc.uniqueArray(scopeValue, { minLength: 1 }), { nil: undefined })
const allowed = privileges().chain((any) => fc.oneof(fc.constant(any.scope), scopeValues, fc.constant('any' as const)))
const grant = fc.constantFrom('end_user' as const, 'client_credentials' as const)
const resources = fc.uniqueArray(fc.oneof(fc.constantFrom(files, mail, 'http://127.0.0.1:3000/x'), fc.string()), {
  maxLength: 2,
})
const granted = fc.option(scopeValues, { nil: undefined })

const policy: fc.Arbitrary<ResourcePolicy> = fc.array(
  fc.record(
    {
      resource: fc.constantFrom(files, mail),
      scope: scopeValues,
      clients: fc.array(fc.constantFrom('a', 'b')),
      introspected_by: fc.array(fc.constantFrom('a', 'b')),
      access_token_format: fc.constantFrom('opaque' as const, 'jwt' as const),
    },
    { requiredKeys: ['resource', 'scope'] },
  ),
)
const settings: fc.Arbitrary<ScopeSettings> = fc.record({
  resources: fc.option(policy, { nil: undefined }),
  scopes: fc.constantFrom([], ['declared']),
})

type Asked = Omit<ScopeRequest, 'client' | 'granted'>
const asked: fc.Arbitrary<Asked> = fc.record({ grant, resources, requested: fc.array(scopeValue) })

const requestOf = (
  client: ScopeRequest['client'],
  request: Asked,
  given: ReadonlyArray<string> | undefined,
): ScopeRequest => ({ client, ...request, ...(given === undefined ? {} : { granted: given }) })

const permitted = (rules: ScopeSettings, request: ScopeRequest): PermittedScope | undefined => {
  const decided = decideScope(rules)(request)
  return E.isRight(decided) ? decided.right : undefined
}

const isSubset = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): boolean =>
  one.every((value) => other.includes(value))

it(
  'it is within each bound: the request, the grant, the registered scope or the privileges, and what the resource knows',
  [settings, registered, allowed, asked, granted],
  (rules, has, may, request, given) => {
    const decided = permitted(rules, requestOf(clientOf(has, may), request, given))
    if (decided === undefined) return
    assert.ok(isSubset(decided.scope, request.requested))
    if (given !== undefined) assert.ok(isSubset(decided.scope, given))
    if (has !== undefined) assert.ok(isSubset(decided.scope, has))
    const beyondOwn = decided.scope.filter((value) => !ownScopeValues.includes(value))
    if (has === undefined && may !== 'any') assert.ok(isSubset(beyondOwn, may))
    if (has === undefined && request.resources.length === 0) assert.equal(beyondOwn, [])
    for (const { audience, scope: part } of decided.resources) {
      assert.ok(request.resources.includes(audience))
      assert.ok(isSubset(part, decided.scope))
      assert.ok(part.every((value) => !ownScopeValues.includes(value) && !value.startsWith('client-reg')))
      if (rules.resources !== undefined)
        assert.ok(rules.resources.some((rule) => rule.resource === audience && isSubset(part, rule.scope)))
    }
  },
)

it(
  'values of registration are given to a client for itself alone, which registered them, and for no resource',
  [settings, registered, allowed, asked, granted],
  (rules, has, may, request, given) => {
    const decided = permitted(rules, requestOf(clientOf(has, may), request, given))
    const delegated = (decided?.scope ?? []).filter((value) => value.startsWith('client-reg'))
    if (delegated.length === 0) return
    assert.ok(isSubset(delegated, has ?? []))
    assert.equal([request.grant, request.resources.length], ['client_credentials', 0])
  },
)

it(
  'what is given is given again, in full, and with more registered, more privileges and more granted as well',
  [settings, registered, allowed, asked, granted, scopeValues],
  (rules, has, may, request, given, more) => {
    const decided = permitted(rules, requestOf(clientOf(has, may), request, given))
    if (decided === undefined) return
    const again = { ...request, requested: decided.scope }
    const wider = clientOf(has && [...new Set([...has, ...more])], may === 'any' ? may : [...may, ...more])
    assert.equal(permitted(rules, requestOf(clientOf(has, may), again, given)), decided)
    assert.equal(permitted(rules, requestOf(wider, again, given && [...given, ...more])), decided)
  },
)

it(
  'a request is refused for its scope or answered with all of it, without what nobody knows beside openid',
  [settings, registered, allowed, asked],
  (rules, has, may, request) => {
    const decided = decideScope(rules)(requestOf(clientOf(has, may), request, undefined))
    if (E.isLeft(decided)) return assert.match(decided.left.error_description, /^(?:scope|resource) [\x20-\x7e]+$/)
    const left = request.requested.filter((value) => !decided.right.scope.includes(value))
    if (left.length === 0) return
    assert.equal([request.grant, request.requested.includes('openid'), request.resources], ['end_user', true, []])
    const known = [
      ...rules.scopes,
      ...(rules.resources ?? []).flatMap((rule) => rule.scope),
      ...(has ?? (may === 'any' ? [] : may)),
    ]
    for (const value of left) assert.not.ok(known.includes(value), value)
  },
)

it(
  'a token by an earlier grant is never refused for its scope',
  [settings, registered, allowed, asked, scopeValues],
  (rules, has, may, request, given) => {
    const decided = decideScope(rules)(requestOf(clientOf(has, may), request, given))
    if (E.isLeft(decided)) assert.is(decided.left.error, 'invalid_target')
  },
)

it(
  'a policy permits nothing that no policy refuses, and a longer policy refuses nothing more',
  [policy, policy, registered, allowed, asked],
  (rules, more, has, may, request) => {
    const targetFault = (all: ResourcePolicy | undefined): boolean => {
      const decided = decideScope({ resources: all, scopes: [] })(requestOf(clientOf(has, may), request, []))
      return E.isLeft(decided)
    }
    if (targetFault(rules)) return
    assert.not.ok(targetFault(undefined))
    assert.not.ok(targetFault([...rules, ...more]))
  },
)

it(
  'a rule that names clients is for those alone that the master token registered, or that have a document',
  [settings, registered, allowed, asked, registeredBy()],
  (rules, has, may, request, by) => {
    const client = { ...clientOf(has, may), registered_by: by }
    const decided = permitted(rules, requestOf(client, request, undefined))
    for (const { audience } of decided?.resources ?? []) {
      const open = rules.resources?.some((rule) => rule.resource === audience && rule.clients === undefined) ?? true
      assert.ok(open || by === 'master')
    }
    const client_id = exampleId('https://a.example/client.json')
    const named = { resources: [{ resource: files, scope: [], clients: [client_id] }], scopes: [] }
    const document = { ...client, client_id }
    assert.ok(E.isRight(decideScope(named)(requestOf(document, { ...request, resources: [files] }, []))))
  },
)

scope('each refusal names its remedy', () => {
  const withPolicy: ScopeSettings = { resources: [{ resource: files, scope: ['read'] }], scopes: [] }
  const free: ScopeSettings = { resources: undefined, scopes: [] }
  const refusal = (
    rules: ScopeSettings,
    client: ScopeRequest['client'],
    requested: string,
    target: ReadonlyArray<string> = [],
    asking: ScopeRequest['grant'] = 'end_user',
  ): string => {
    const request = { client, grant: asking, resources: target, requested: requested.split(' ') }
    const decided = decideScope(rules)(request)
    return E.isLeft(decided)
      ? `${decided.left.error}: ${decided.left.error_description}`
      : decided.right.scope.join(' ')
  }
  const master = clientOf(undefined, 'any')
  const anyone = clientOf(undefined, ['read'])
  const reader = clientOf(['openid', 'read'], [])
  for (const client of [master, anyone, reader])
    for (const rules of [free, withPolicy]) {
      assert.match(refusal(rules, client, 'read'), /^invalid_scope: .*send resource \(RFC 8707\)/)
      assert.is(refusal(rules, client, 'read', [files]), 'read')
    }
  assert.match(refusal(withPolicy, reader, 'openid read'), 'send resource')
  assert.match(refusal(free, anyone, 'openid read'), 'send resource')
  assert.is(refusal(free, anyone, 'openid groups'), 'openid')
  assert.match(refusal(free, anyone, 'groups'), 'open-registration-scopes')
  assert.match(refusal(free, anyone, 'admin', [files]), 'open-registration-scopes')
  assert.match(refusal(free, reader, 'admin', [files]), 'did not register')
  assert.match(refusal(withPolicy, master, 'admin', [files]), 'resource-policy')
  assert.match(refusal(free, master, 'admin', [], 'client_credentials'), 'register it in scope')
  assert.match(refusal(free, master, 'client-reg', [], 'client_credentials'), 'register it in scope')
  assert.match(refusal(free, reader, 'read admin', [], 'client_credentials'), 'did not register')
  assert.is(refusal(free, reader, 'read', [], 'client_credentials'), 'read')
})

scope('a resource that is no absolute URI without a fragment is refused', () => {
  for (const wrong of [
    '',
    'files',
    'urn:x',
    'http://files.example/',
    `${files}#a`,
    'https://a@b.example/',
    'https:///x',
  ]) {
    const request = requestOf(clientOf(undefined, 'any'), { grant: 'end_user', resources: [wrong], requested: [] }, [])
    assert.ok(E.isLeft(decideScope({ resources: undefined, scopes: [] })(request)), wrong)
  }
})

scope('a policy is decoded, or all of its faults are told, whatever it is', () => {
  fc.assert(fc.property(fc.anything(), (value) => E.isRight(decodeResourcePolicy(value)) || true))
  fc.assert(fc.property(policy, (rules) => assert.equal(decodeResourcePolicy(rules), E.right(rules))))
  const faults = decodeResourcePolicy([{ resource: 'x', scope: ['a b'], formats: 1 }, 2])
  assert.equal(E.isLeft(faults) && faults.left.map(({ pointer }) => pointer), [
    '/0/resource',
    '/0/scope/0',
    '/0/formats',
    '/1',
  ])
})

scope.run()
