import { clientOf, law } from '@clientele/testing'
import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type Consent,
  type ConsentDecision,
  type ConsentPolicy,
  type ConsentRequest,
  decideConsent,
  describeForConsent,
} from '../../src/provider/consent.js'
import { consentOf, consentPolicy, consentRequest, requestOf } from '../support/consent.js'

const Decision = suite('whether an end-user is asked for consent')
const it = law(Decision)

const noPolicy: ConsentPolicy = { protectedNames: [], firstPartyClients: [], showsUnvouched: false }

const decide = (policy: ConsentPolicy, request: ConsentRequest, earlier: Consent | undefined): ConsentDecision => {
  const remembered = O.fromNullable(earlier)
  return decideConsent(policy)(request, remembered, describeForConsent(policy)(request, remembered))
}

const withoutPolicy = (policy: ConsentPolicy): ConsentPolicy => ({ ...policy, firstPartyClients: [] })

it(
  'a consent is skipped only if nothing is new',
  [consentRequest(), consentRequest(), consentPolicy()],
  (one, other, any) => {
    const policy = withoutPolicy(any)
    const decision = decide(policy, one, consentOf(other))
    const { changes } = describeForConsent(policy)(one, O.some(consentOf(other)))
    assert.ok(decision.kind === 'ask' || changes.length === 0)
  },
)

it(
  'the same request is asked once, or each time where the application cannot be told from others',
  [consentRequest()],
  (request) => {
    assert.equal(decide(noPolicy, request, undefined).kind, 'ask')
    const again = decide(noPolicy, request, consentOf(request))
    const { redirectHosts } = describeForConsent(noPolicy)(request, O.none)
    const isUnassured =
      request.client.metadata.token_endpoint_auth_method === 'none' && redirectHosts[0]?.kind !== 'web'
    assert.equal(again, isUnassured ? { kind: 'ask', because: 'unassured' } : { kind: 'skip', because: 'remembered' })
  },
)

it('an added scope value is never skipped', [consentRequest(), fc.string()], (request, value) => {
  const given = consentOf({ ...request, scope: request.scope.filter((each) => each !== value) })
  assert.is(decide(noPolicy, { ...request, scope: [...request.scope, value] }, given).kind, 'ask')
})

it(
  'an added resource, or scope value of one, is never skipped',
  [consentRequest(), fc.webUrl(), fc.string()],
  (request, resource, value) => {
    const others = Object.fromEntries(Object.entries(request.resources).filter(([each]) => each !== resource))
    const given = consentOf({ ...request, resources: others })
    assert.is(decide(noPolicy, { ...request, resources: { ...others, [resource]: [value] } }, given).kind, 'ask')
    const less = consentOf({ ...request, resources: { ...others, [resource]: [] } })
    assert.is(decide(noPolicy, { ...request, resources: { ...others, [resource]: [value] } }, less).kind, 'ask')
  },
)

it('less scope than was consented to is not new', [consentRequest(), fc.array(fc.string())], (request, more) => {
  const given = consentOf({ ...request, scope: [...more, ...request.scope] })
  assert.not.equal(decide(noPolicy, request, given), { kind: 'ask', because: 'changed' })
})

it('prompt=consent always asks (OpenID Core §3.1.2.1)', [consentRequest()], (request) => {
  const policy = { ...noPolicy, firstPartyClients: [request.client.client_id] }
  assert.equal(decide(policy, { ...request, mustAsk: true }, consentOf(request)), { kind: 'ask', because: 'requested' })
})

it('only the master token makes a client one of the first party', [consentRequest()], (request) => {
  const policy = { ...noPolicy, firstPartyClients: [request.client.client_id] }
  assert.is(decide(policy, request, undefined).kind, request.client.registered_by === 'master' ? 'skip' : 'ask')
})

it(
  'any stored facts that are not those of the request ask again',
  [consentRequest(), fc.jsonValue()],
  (request, stored) => {
    const earlier = consentOf(request)
    for (const name of Object.keys(earlier.shown)) {
      const shown = { ...earlier.shown, [name]: [stored, 'other'] } as Consent['shown']
      assert.is(decide(noPolicy, request, { ...earlier, shown }).kind, 'ask')
    }
    assert.is(decide(noPolicy, request, { ...earlier, shown: {} }).kind, 'ask')
  },
)

const base = { client_name: 'Shop', redirect_uris: ['https://rp.example/cb'] }
const keyWith = (x: string) => ({ kty: 'OKP', crv: 'Unknown', x })

// RFC 8252 §8.6
Decision('a public client on a private network is asked for each time, and one that authenticates is not', () => {
  for (const [method, expected] of [
    ['none', { kind: 'ask', because: 'unassured' }],
    ['client_secret_basic', { kind: 'skip', because: 'remembered' }],
  ] as const)
    for (const redirectUri of ['http://192.168.1.5/cb', 'http://hub.local/cb', 'http://[fd00::1]/cb']) {
      const metadata = { redirect_uris: [redirectUri], token_endpoint_auth_method: method }
      const request = requestOf({ client: clientOf('app', metadata), redirectUri })
      assert.equal(decide(noPolicy, request, consentOf(request)), expected)
    }
})

Decision('a changed name, redirect host or key asks again, and says which', () => {
  const uri = 'https://rp.example/cb'
  const jwks = (key: ReturnType<typeof keyWith>) => ({
    token_endpoint_auth_method: 'private_key_jwt' as const,
    jwks: { keys: [key] },
  })
  for (const [before, after, change] of [
    [base, { ...base, client_name: 'Shopp' }, 'name'],
    [base, { ...base, 'client_name#de': 'Laden' }, 'name'],
    [base, { ...base, redirect_uris: [uri, 'https://evil.example/cb'] }, 'redirect_hosts'],
    [{ ...base, ...jwks(keyWith('AQAB')) }, { ...base, ...jwks(keyWith('AQAC')) }, 'keys'],
  ] as const) {
    const given = consentOf(requestOf({ client: clientOf('shop', before), redirectUri: uri }))
    const request = requestOf({ client: clientOf('shop', after), redirectUri: uri })
    assert.equal(describeForConsent(noPolicy)(request, O.some(given)).changes, [change])
    assert.equal(decide(noPolicy, request, given), { kind: 'ask', because: 'changed' })
  }
})

Decision('the order of values, and another path at the same host, are no change', () => {
  const uris = ['https://rp.example/cb', 'https://app.example/cb'] as const
  const client = clientOf('shop', { client_name: 'Shop', redirect_uris: [...uris] })
  const given = consentOf(requestOf({ client, redirectUri: uris[0], scope: ['openid', 'email'] }))
  const moved = clientOf('shop', { client_name: 'Shop', redirect_uris: ['https://app.example/new', uris[0]] })
  const request = requestOf({ client: moved, redirectUri: 'https://app.example/new', scope: ['email', 'openid'] })
  assert.equal(decide(noPolicy, request, given), { kind: 'skip', because: 'remembered' })
})

Decision.run()
