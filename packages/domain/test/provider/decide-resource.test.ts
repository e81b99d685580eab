import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type ResourcePolicy, decideResource, decodeResourcePolicy } from '../../src/index.js'

const resource = suite('the resources of access tokens')

const files = 'https://files.example/mcp'
const scopeValue = fc.constantFrom(
  'read',
  'write',
  'openid',
  'offline_access',
  'client-reg',
  'client-reg:data',
  'email',
)
const request = () =>
  fc.record({
    resource: fc.oneof(fc.constantFrom(files, 'https://mail.example', 'http://127.0.0.1:3000/x'), fc.string()),
    client: fc.record(
      {
        client_id: fc.constantFrom('a', 'b'),
        scope: fc.array(scopeValue, { minLength: 1 }).map((all) => all.join(' ')),
      },
      { requiredKeys: ['client_id'] },
    ),
    scope: fc.array(scopeValue),
  })
const policy = (): fc.Arbitrary<ResourcePolicy> =>
  fc.array(
    fc.record(
      {
        resource: fc.constantFrom(files, 'https://mail.example'),
        scope: fc.array(scopeValue),
        clients: fc.array(fc.constantFrom('a', 'b')),
        introspected_by: fc.array(fc.constantFrom('a', 'b')),
        access_token_format: fc.constantFrom('opaque' as const, 'jwt' as const),
      },
      { requiredKeys: ['resource', 'scope'] },
    ),
  )

resource('the scope is within what was requested, what the client registered, and what the resource knows', () => {
  fc.assert(
    fc.property(fc.option(policy(), { nil: undefined }), request(), (rules, requested) => {
      const decided = decideResource(rules)(requested)
      if (E.isLeft(decided)) return
      const { audience, scope } = decided.right
      assert.is(audience, requested.resource)
      for (const value of scope) {
        assert.ok(requested.scope.some((each) => each === value))
        assert.ok(requested.client.scope?.split(' ').includes(value) ?? true)
        assert.not.match(value, /^(?:openid|offline_access|email|client-reg)/)
        if (rules !== undefined)
          assert.ok(rules.some((rule) => rule.resource === requested.resource && rule.scope.includes(value)))
      }
    }),
  )
})

resource('a policy permits nothing that no policy refuses, and a longer policy refuses nothing more', () => {
  fc.assert(
    fc.property(policy(), policy(), request(), (rules, more, requested) => {
      const free = decideResource(undefined)(requested)
      const bound = decideResource(rules)(requested)
      if (E.isRight(bound)) {
        assert.ok(E.isRight(free))
        assert.ok(E.isRight(decideResource([...rules, ...more])(requested)))
      }
    }),
  )
})

resource('a resource that is no absolute URI without a fragment is refused', () => {
  for (const wrong of [
    '',
    'files',
    'urn:x',
    'http://files.example/',
    `${files}#a`,
    'https://a@b.example/',
    'https:///x',
  ])
    assert.ok(E.isLeft(decideResource(undefined)({ resource: wrong, client: { client_id: 'a' }, scope: [] })), wrong)
})

resource('a policy is decoded, or all of its faults are told, whatever it is', () => {
  fc.assert(fc.property(fc.anything(), (value) => E.isRight(decodeResourcePolicy(value)) || true))
  fc.assert(fc.property(policy(), (rules) => assert.equal(decodeResourcePolicy(rules), E.right(rules))))
  const faults = decodeResourcePolicy([{ resource: 'x', scope: ['a b'], formats: 1 }, 2])
  assert.equal(E.isLeft(faults) && faults.left.map(({ pointer }) => pointer), [
    '/0/resource',
    '/0/scope/0',
    '/0/formats',
    '/1',
  ])
})

resource.run()
