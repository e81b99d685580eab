import { base64urlOf, clientOf, exampleId, law, registeredClient } from '@clientele/testing'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { noConsentPolicy, vouchesFor } from '../../src/provider/consent.js'
import { initiatedLogin, linksForConsent, logoUri } from '../../src/provider/links.js'
import { documentPolicy } from '../../src/policy/policy.js'
import { consentPolicy } from '../support/consent.js'

const Links = suite('links from pages to an application')
const it = law(Links)

const redirectUri = 'https://rp.example/cb'
const issuer = 'https://op.example'
const everyone = { ...noConsentPolicy, showsUnvouched: true }

const uris = {
  policy_uri: 'https://RP.example:8443/policy',
  'policy_uri#de': 'https://rp.example/datenschutz',
  tos_uri: 'https://terms.example/',
  initiate_login_uri: 'https://rp.example/login?a=b',
}

const client = { ...clientOf('app', { ...uris, redirect_uris: [redirectUri] }), registered_by: 'token' } as const
const ofOperator = { ...client, registered_by: 'operator_token' } as const

it(
  'lead to https, away from the device, and to nobody else for whom nobody vouches',
  [registeredClient(), consentPolicy(), fc.string(), fc.oneof(fc.webUrl(), fc.string())],
  (any, policy, language, value) => {
    const metadata = { ...any.metadata, policy_uri: value, initiate_login_uri: value }
    const request = { client: { ...any, metadata }, redirectUri }
    const links = [
      ...Object.values(linksForConsent(policy)(language, request)),
      initiatedLogin(policy, issuer)(request.client),
    ]
    for (const link of links) if (link !== undefined) assert.match(link.uri, /^https:\/\/(?!localhost|127\.)/i)
    const { policy: shown } = linksForConsent(noConsentPolicy)(language, request)
    if (shown !== undefined) assert.ok(vouchesFor(request, 'policy_uri'))
  },
)

Links('are of the language of the page, with the host', () => {
  const inLanguage = (language: string) =>
    linksForConsent(noConsentPolicy)(language, { client: ofOperator, redirectUri })
  const terms = { uri: uris.tos_uri, host: 'terms.example' }
  assert.equal(inLanguage('en'), { policy: { uri: uris.policy_uri, host: 'rp.example:8443' }, terms })
  assert.equal(inLanguage('de'), { policy: { uri: uris['policy_uri#de'], host: 'rp.example' }, terms })
})

Links('are shown for a client of anybody by the policy alone', () => {
  const shown = (registered_by: 'token' | 'nobody', policy = noConsentPolicy) =>
    linksForConsent(policy)('en', { client: { ...client, registered_by }, redirectUri }).terms?.host
  assert.equal([shown('token'), shown('nobody')], [undefined, undefined])
  assert.equal([shown('token', everyone), shown('nobody', everyone)], ['terms.example', 'terms.example'])
})

Links('the issuer of a statement vouches for what it holds, and for nothing else', () => {
  const claims = { iss: 'https://directory.example', client_name: 'App', redirect_uris: [redirectUri] }
  const stated = (more: object) => {
    const payload = base64urlOf(new TextEncoder().encode(JSON.stringify({ ...claims, ...more })))
    const metadata = { ...client.metadata, software_statement: `e30.${payload}.c2ln` }
    const { policy, terms } = linksForConsent(noConsentPolicy)('en', { client: { ...client, metadata }, redirectUri })
    return [policy?.uri, terms?.uri]
  }
  assert.equal(stated({ tos_uri: uris.tos_uri }), [undefined, uris.tos_uri])
  assert.equal(stated({ tos_uri: 'https://other.example/' }), [undefined, undefined])
  assert.equal(stated({ tos_uri: uris.tos_uri, client_name: 1 }), [undefined, undefined])
  assert.equal(stated({}), [undefined, undefined])
})

it(
  'a picture of a document needs the word of the operator, by a list or for all, where its links do not',
  [consentPolicy(), fc.constantFrom('none', 'listed', 'any'), fc.subarray(['app.example', '*.other.example'])],
  (policy, accept, allowed_hosts) => {
    const metadata = { logo_uri: 'https://app.example/logo.png', tos_uri: 'https://app.example/terms' }
    const client_id = exampleId('https://app.example/client.json')
    const documented = {
      client: { ...clientOf('app', metadata), client_id, registered_by: 'nobody' as const },
      redirectUri,
    }
    const shown = logoUri(policy, documentPolicy({ accept, allowed_hosts }), 'en', documented)
    const isNamed = policy.showsUnvouched || allowed_hosts.includes('app.example')
    assert.is(shown, isNamed ? metadata.logo_uri : undefined)
    assert.is(linksForConsent(policy)('en', documented).terms?.host, 'app.example')
    const denied = documentPolicy({ accept, allowed_hosts, denied_hosts: ['app.example'] })
    assert.is(logoUri(noConsentPolicy, denied, 'en', documented), undefined)
    const registered = { ...ofOperator, metadata: { ...ofOperator.metadata, ...metadata } }
    assert.is(logoUri(policy, documentPolicy(), 'en', { client: registered, redirectUri }), metadata.logo_uri)
  },
)

Links('a login of the application names the issuer, and none of a suspended one is begun', () => {
  const login = initiatedLogin(noConsentPolicy, issuer)
  assert.equal(login(ofOperator), {
    uri: 'https://rp.example/login?a=b&iss=https%3A%2F%2Fop.example',
    host: 'rp.example',
  })
  assert.is(login(client), undefined)
  assert.is(login({ ...ofOperator, suspended_at: ofOperator.client_id_issued_at }), undefined)
})

Links.run()
