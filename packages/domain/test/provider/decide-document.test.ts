import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { answeredWith } from '@clientele/testing'
import { type ApprovedDocument, type DecidedDocument, decideDocument } from '../../src/provider/decide-document.js'
import type { DocumentSettings } from '../../src/provider/documents.js'
import type { SeenDocument } from '../../src/provider/seen-documents.js'
import { ClientIdUrl } from '../../src/client/ids.js'
import { epochSeconds } from '../../src/kernel/time.js'
import { type RegistrationPolicy, noPolicy } from '../../src/policy/policy.js'

const Decide = suite('decideDocument')

const id = 'https://app.example/client.json'
const at = epochSeconds(1_800_000_000_000)
const app = {
  client_id: id,
  client_name: 'App',
  redirect_uris: ['https://app.example/callback'],
  token_endpoint_auth_method: 'none',
}

type Parts = Omit<RegistrationPolicy, 'ceilings'> & { readonly abilities?: DocumentSettings['abilities'] }

const settings = ({ abilities, ...policy }: Parts = {}): DocumentSettings => ({
  mode: { kind: 'managed' },
  outboundFetches: true,
  policy: { ...noPolicy, metadata_documents: { accept: 'any', scope: ['openid'] }, ...policy },
  ...(abilities === undefined ? {} : { abilities }),
})

const decide = (seen: SeenDocument, parts: Parts = {}, approved?: ApprovedDocument) => {
  if (!ClientIdUrl.is(id)) throw new Error(id)
  return decideDocument(settings(parts))(id, seen, approved)
}

const faultsOf = (body: unknown, parts: Parts = {}): ReadonlyArray<string> => {
  const decided = decide(answeredWith(body, at), parts)
  return E.isLeft(decided) ? decided.left.map(({ pointer, rule }) => `${pointer} ${rule}`) : []
}

const accepted = (body: unknown, parts: Parts = {}, approved?: ApprovedDocument): DecidedDocument => {
  const decided = decide(answeredWith(body, at), parts, approved)
  if (E.isLeft(decided)) throw new Error(JSON.stringify(decided.left))
  return decided.right
}

const reportedBy = ({ adjustments }: DecidedDocument) => adjustments.map(({ pointer, rule }) => `${pointer} ${rule}`)

Decide('a document is a client, also where registration is managed', () => {
  const { client, dropped, drift, action, fresh_until } = accepted(app)
  assert.equal([client.client_id, client.metadata.client_name], [id, 'App'])
  assert.equal([dropped, drift, action, fresh_until], [[], [], 'go_on', at + 300])
})

Decide('all faults are reported at once: those of the document, and those of a registration', () => {
  const body = {
    ...app,
    client_id: `${id}?`,
    client_secret: 'secret',
    client_secret_expires_at: 0,
    token_endpoint_auth_method: 'client_secret_post',
    redirect_uris: ['https://app.example/#'],
    jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] },
  }
  assert.equal(faultsOf(body), [
    '/client_id document-client-id',
    '/client_secret document-secret',
    '/client_secret_expires_at document-secret',
    '/redirect_uris/0 uri-fragment',
    '/jwks/keys/0/k jwk-private',
    '/token_endpoint_auth_method document-auth-method',
  ])
})

Decide('members that only a registration has, and unknown ones, are dropped and reported', () => {
  const { dropped } = accepted({ ...app, preferred_client_id: '/', preferred_client_secret: 1, other: true })
  assert.equal(dropped, ['preferred_client_id', 'preferred_client_secret', 'other'])
})

const keyed = { ...app, jwks_uri: 'https://app.example/keys', token_endpoint_auth_signing_alg: 'RS256' }
const both = {
  token_endpoint_auth_method: 'private_key_jwt',
  token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
}

const declaring = (...methods: ReadonlyArray<string>) => ({
  signingAlgorithms: ['RS256'],
  providerMetadata: { token_endpoint_auth_methods_supported: [...methods] },
})

const methodOf = (body: object, parts: Parts = {}): string => {
  const decided = accepted(body, parts)
  return [decided.client.metadata.token_endpoint_auth_method, ...reportedBy(decided)].join(' ')
}

Decide('its own method counts where this service supports it', () => {
  assert.is(methodOf({ ...keyed, ...both }), 'private_key_jwt')
  assert.is(methodOf({ ...keyed, token_endpoint_auth_method: 'private_key_jwt' }), 'private_key_jwt')
})

const chosen = '/token_endpoint_auth_method document-auth-method-chosen'
const dropped = '/token_endpoint_auth_signing_alg document-signing-alg-dropped'

Decide('else the best of its list that this service supports', () => {
  const undecided = { ...keyed, ...both, token_endpoint_auth_method: undefined }
  assert.is(methodOf(undecided), `private_key_jwt ${chosen}`)
  const onlyNone = { allowed_token_endpoint_auth_methods: ['none'] }
  assert.is(methodOf(undecided, onlyNone), `none ${chosen} ${dropped}`)
  assert.is(methodOf(undecided, { allowed_algorithms: ['ES256'] }).split(' ')[0], 'none')
  assert.is(methodOf(undecided, { abilities: declaring('none') }), `none ${chosen} ${dropped}`)
  const open = { ...keyed, ...both, token_endpoint_auth_method: 'none' }
  assert.is(methodOf(open, { allowed_token_endpoint_auth_methods: ['private_key_jwt'] }), `private_key_jwt ${chosen}`)
  const mutual = { ...keyed, ...both, token_endpoint_auth_method: 'self_signed_tls_client_auth' }
  assert.is(methodOf(mutual, { abilities: declaring('private_key_jwt', 'none') }), `private_key_jwt ${chosen}`)
})

Decide('a document with a method of its own is never made public', () => {
  assert.equal(faultsOf({ ...app, ...both }), ['/token_endpoint_auth_method keys-required'])
  assert.equal(faultsOf({ ...keyed, ...both }, { allowed_token_endpoint_auth_methods: ['none'] }), [
    '/token_endpoint_auth_method policy-auth-method',
  ])
  assert.is(methodOf({ ...keyed, ...both }, { abilities: declaring('none') }), 'private_key_jwt')
  assert.equal(faultsOf({ ...keyed, ...both, token_endpoint_auth_signing_alg: 'ES256K' }), [
    '/token_endpoint_auth_signing_alg signing-algorithm',
  ])
})

Decide('a document without a method and a list has none', () => {
  const undecided = { ...app, token_endpoint_auth_method: undefined }
  assert.is(methodOf(undecided), 'none /token_endpoint_auth_method document-auth-method-none')
})

Decide('a list without a usable method leaves its faults', () => {
  const undecided = { ...app, token_endpoint_auth_method: undefined }
  assert.equal(faultsOf({ ...undecided, token_endpoint_auth_methods_supported: ['client_secret_basic'] }), [
    '/token_endpoint_auth_method document-auth-method',
  ])
  assert.equal(faultsOf({ ...app, token_endpoint_auth_method: 'private_key_jwt' }), [
    '/token_endpoint_auth_method keys-required',
  ])
})

Decide('an algorithm with a secret is refused for a client with keys as well', () => {
  assert.equal(faultsOf({ ...keyed, ...both, id_token_signed_response_alg: 'HS256' }), [
    '/id_token_signed_response_alg document-secret-algorithm',
  ])
})

Decide('grants, scope values and data beyond the privileges are left out and reported', () => {
  const decided = accepted({
    ...app,
    grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
    scope: 'openid client-reg email',
    data: {},
  })
  assert.equal(decided.client.metadata.grant_types, ['authorization_code'])
  assert.equal([decided.client.metadata.scope, decided.client.metadata.data], ['openid', undefined])
  assert.equal(reportedBy(decided), [
    '/grant_types document-narrowed',
    '/scope document-narrowed',
    '/data document-narrowed',
  ])
})

Decide('a document of which no grant is left is refused', () => {
  assert.equal(faultsOf({ ...app, redirect_uris: [], grant_types: ['password'], response_types: [] }), [
    '/grant_types document-privilege',
  ])
})

Decide('the claims of a software statement count as in a registration', () => {
  const body = { ...app, software_statement: 'a.b.c' }
  assert.equal(faultsOf(body), ['/software_statement software-statement-unapproved'])
  const asserting = (claims: Readonly<Record<string, string>>): SeenDocument => ({
    ...answeredWith(body, at),
    statement: O.some(E.right(claims)),
  })
  const named = decide(asserting({ client_name: 'Stated' }))
  assert.is(E.isRight(named) && named.right.client.metadata.client_name, 'Stated')
  const secret = decide(asserting({ token_endpoint_auth_method: 'client_secret_basic' }))
  assert.equal(E.isLeft(secret) && secret.left.map(({ rule }) => rule), ['document-auth-method'])
})

const noDocument = (parts: object): string => {
  const decided = decide({ ...answeredWith(app, at), ...parts })
  return E.isLeft(decided) ? decided.left.map(({ pointer, rule }) => `${pointer} ${rule}`).join() : 'accepted'
}

Decide('what is no document is reported by its kind', () => {
  for (const status of [404, 410]) assert.is(noDocument({ status }), '/client_id document-withdrawn')
  for (const status of [201, 301, 304, 403, 500]) assert.is(noDocument({ status }), '/client_id document-unreachable')
  for (const media_type of ['text/html', 'application/jsonp', 'text/json', ''])
    assert.is(noDocument({ media_type }), '/client_id document-json')
  for (const body of ['{}', [], null, undefined]) assert.is(noDocument({ body }), '/client_id document-json')
  assert.is(noDocument({ media_type: 'application/cimd+json' }), 'accepted')
})

Decide('a document that became HTML counts as unreachable, and one with faults is refused', () => {
  const { client } = accepted(app)
  const approved = { metadata: client.metadata, seen_at: at }
  const html = decide({ ...answeredWith(undefined, at), media_type: 'text/html' }, {}, approved)
  assert.equal(E.isRight(html) && [html.right.drift, html.right.action], [['unreachable'], 'go_on'])
  assert.ok(E.isLeft(decide(answeredWith({ ...app, jwks_uri: 7 }, at), {}, approved)))
})

Decide('the sector of a document is its own host', () => {
  const pairwise = { ...app, subject_type: 'pairwise' }
  const elsewhere = { redirect_uris: ['https://rp.example/callback'] }
  assert.equal(faultsOf(pairwise), [])
  assert.equal(faultsOf({ ...pairwise, sector_identifier_uri: 'https://app.example/uris' }), [])
  assert.equal(faultsOf({ ...app, ...elsewhere }), [])
  assert.equal(faultsOf({ ...pairwise, ...elsewhere }), ['/subject_type document-sector'])
  assert.equal(faultsOf({ ...app, sector_identifier_uri: 'https://rp.example/uris' }), [
    '/sector_identifier_uri document-sector',
  ])
})

Decide('an approved document is judged by the present policy', () => {
  const approved = { metadata: accepted(app).client.metadata, seen_at: at }
  const decided = decide({ kind: 'unreachable', at }, { required_members: ['contacts'] }, approved)
  assert.equal(E.isLeft(decided) && decided.left.map(({ rule }) => rule), ['policy-required'])
})

const driftTo = (changes: object, from: object = app): ReadonlyArray<string> =>
  accepted({ ...from, ...changes }, {}, { metadata: accepted(from).client.metadata, seen_at: at }).drift

for (const [name, changes, drift, from] of [
  ['another logo', { logo_uri: 'https://app.example/logo' }, ['cosmetic']],
  ['another path', { redirect_uris: ['https://app.example/other'] }, ['cosmetic']],
  [
    'another order of redirect_uris',
    { redirect_uris: ['https://app.example/', 'https://app.example/callback'] },
    ['cosmetic'],
  ],
  ['another name', { client_name: 'Bank' }, ['name']],
  ['a name in a language', { 'client_name#de': 'Bank' }, ['name']],
  ['another host', { redirect_uris: ['https://evil.example/callback'] }, ['redirect_host']],
  ['another port', { redirect_uris: ['https://app.example:8443/callback'] }, ['redirect_host']],
  ['a host for logout tokens', { backchannel_logout_uri: 'https://evil.example/' }, ['redirect_host']],
  ['a host after logout', { post_logout_redirect_uris: ['https://evil.example/'] }, ['redirect_host']],
  [
    'a loopback port',
    { redirect_uris: ['http://127.0.0.1:2/'] },
    ['cosmetic'],
    { ...app, redirect_uris: ['http://127.0.0.1:1/'] },
  ],
  ['another scheme', { redirect_uris: ['cursor://a'], application_type: 'native' }, ['redirect_host']],
  ['a host for keys', { jwks_uri: 'https://keys.example/' }, ['keys_host']],
  [
    'keys of its own in place of elsewhere',
    { jwks_uri: 'https://app.example/keys' },
    ['keys_host'],
    { ...app, jwks_uri: 'https://keys.example/' },
  ],
  [
    'other keys on the same host',
    { jwks_uri: 'https://app.example/more' },
    ['cosmetic'],
    { ...app, jwks_uri: 'https://app.example/keys' },
  ],
  [
    'no key any more',
    { token_endpoint_auth_method: 'none' },
    ['weaker_method'],
    { ...app, jwks_uri: 'https://app.example/keys', token_endpoint_auth_method: 'private_key_jwt' },
  ],
  [
    'tokens without a key',
    { dpop_bound_access_tokens: false },
    ['weaker_method'],
    { ...app, dpop_bound_access_tokens: true },
  ],
  [
    'the same sub as at other applications',
    { subject_type: 'public' },
    ['weaker_method'],
    { ...app, subject_type: 'pairwise' },
  ],
  [
    'no signed request objects any more',
    { request_object_signing_alg: undefined },
    ['weaker_method'],
    { ...app, jwks_uri: 'https://app.example/keys', request_object_signing_alg: 'ES256' },
  ],
  [
    'request objects that may be unsigned',
    { request_object_signing_alg: 'none' },
    ['weaker_method'],
    { ...app, jwks_uri: 'https://app.example/keys', request_object_signing_alg: 'ES256' },
  ],
  [
    'unsigned claims about the end-user',
    { userinfo_signed_response_alg: undefined },
    ['weaker_method'],
    { ...app, userinfo_signed_response_alg: 'RS256' },
  ],
  [
    'all at once',
    { client_name: 'Bank', redirect_uris: ['https://evil.example/'], jwks_uri: 'https://keys.example/' },
    ['keys_host', 'redirect_host', 'name'],
  ],
] as const)
  Decide(`${name}: ${drift.join(', ')}`, () => assert.equal(driftTo(changes, from), drift))

Decide('a method with a key is not weaker than another one, and a stronger one is cosmetic', () => {
  const withKeys = { ...app, jwks_uri: 'https://app.example/keys' }
  assert.equal(driftTo({ token_endpoint_auth_method: 'private_key_jwt' }, withKeys), ['cosmetic'])
})

// Whoever has taken the host over would answer for all end-users who are not asked.
Decide(
  'a document for which no end-user is asked is suspended where it goes elsewhere, and not approved by one',
  () => {
    const client_id = ClientIdUrl.is(id) ? id : undefined
    assert.ok(client_id)
    const approved = { metadata: accepted(app).client.metadata, seen_at: at }
    const redirect_uris = [...app.redirect_uris, 'https://evil.example/cb']
    const actionFor = (changes: object, skip_consent: boolean, on_drift = {}) =>
      accepted(
        { ...app, ...changes },
        { metadata_documents: { accept: 'any', scope: ['openid'], on_drift }, clients: [{ client_id, skip_consent }] },
        approved,
      ).action
    assert.equal([actionFor({ redirect_uris }, false), actionFor({ redirect_uris }, true)], ['ask', 'suspend'])
    assert.is(actionFor({ redirect_uris }, true, { redirect_host: 'go_on' }), 'go_on')
    assert.is(actionFor({ client_name: 'Other' }, true), 'ask')
    const withKeys = { jwks_uri: 'https://keys.example/jwks.json', token_endpoint_auth_method: 'private_key_jwt' }
    assert.is(actionFor(withKeys, true), 'suspend')
  },
)

Decide('what the policy takes away is no change of the document', () => {
  const client_id = ClientIdUrl.is(id) ? id : undefined
  assert.ok(client_id)
  const document = { ...app, scope: 'openid orders' }
  const asking = (scope: ReadonlyArray<string>): Parts => ({
    metadata_documents: { accept: 'any', on_drift: { cosmetic: 'ask' } },
    clients: [{ client_id, scope }],
  })
  const { client } = accepted(document, asking(['openid', 'orders']))
  assert.is(client.metadata.scope, 'openid orders')
  const approved = { metadata: client.metadata, seen_at: at }
  const narrower = accepted(document, asking(['openid']), approved)
  assert.equal([narrower.client.metadata.scope, narrower.drift, narrower.action], ['openid', [], 'go_on'])
  const changed = accepted({ ...document, client_uri: 'https://app.example/' }, asking(['openid']), approved)
  assert.equal([changed.drift, changed.action], [['cosmetic'], 'ask'])
})

Decide.run()
