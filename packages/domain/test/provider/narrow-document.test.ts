import { answeredWith, everyFaultOf, law } from '@clientele/testing'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ClientIdUrl } from '../../src/client/ids.js'
import { members } from '../../src/client/members.js'
import { kindOfFault } from '../../src/client/schema.js'
import { fault } from '../../src/kernel/faults.js'
import { ruleTexts } from '../../src/kernel/all-rules.js'
import { epochSeconds } from '../../src/kernel/time.js'
import { type RegistrationPolicy, noPolicy } from '../../src/policy/policy.js'
import { decideDocument } from '../../src/provider/decide-document.js'
import { beginningOf } from '../../src/provider/narrow-document.js'

const Narrow = suite('what a document loses')
const it = law(Narrow)

Narrow('each rule is for safety, capability or looks', () => {
  const kinds = Object.values(ruleTexts).map(({ kind }) => kind)
  assert.equal([...new Set(kinds)].sort(), ['capability', 'looks', 'safety'])
})

Narrow('what a client loses without the member counts, and what is only shown can always be left out', () => {
  assert.is(kindOfFault(fault('uri')('logo_uri')), 'looks')
  assert.is(kindOfFault(fault('uri-host')('client_uri#fr')), 'looks')
  assert.is(kindOfFault(fault('uri')('redirect_uris', 0)), 'capability')
  assert.is(kindOfFault(fault('uri-fragment')('redirect_uris', 0)), 'safety')
  assert.is(kindOfFault(fault('https-uri')('jwks_uri')), 'safety')
  assert.is(kindOfFault(fault('boolean')('dpop_bound_access_tokens')), 'safety')
  assert.is(kindOfFault(fault('unsupported-algorithm')('id_token_encrypted_response_alg')), 'safety')
  assert.is(kindOfFault(fault('policy-required')('client_name')), 'safety')
})

const id = 'https://app.example/client.json'
const good = 'https://app.example/callback'
const app = { client_id: id, client_name: 'App', redirect_uris: [good], token_endpoint_auth_method: 'none' }

const decide = (body: unknown, policy: Omit<RegistrationPolicy, 'ceilings'> = {}) => {
  if (!ClientIdUrl.is(id)) throw new Error(id)
  return decideDocument({
    mode: { kind: 'managed' },
    outboundFetches: true,
    policy: { ...noPolicy, metadata_documents: { accept: 'any', scope: ['openid'] }, ...policy },
  })(id, answeredWith(body, epochSeconds(1_800_000_000_000)))
}

const brief = (said: ReadonlyArray<{ readonly pointer: string; readonly rule: string }>) =>
  said.map(({ pointer, rule }) => `${pointer} ${rule}`)

const accepted = (body: unknown, policy?: Omit<RegistrationPolicy, 'ceilings'>) => {
  const decided = decide(body, policy)
  if (E.isLeft(decided)) throw new Error(JSON.stringify(decided.left))
  return decided.right
}

const refusedFor = (body: unknown, policy?: Omit<RegistrationPolicy, 'ceilings'>) => {
  const decided = decide(body, policy)
  return E.isLeft(decided) ? brief(decided.left) : []
}

const privateKey = { kty: 'EC', crv: 'P-256', x: 'A'.repeat(43), y: 'A'.repeat(43), d: 'A'.repeat(43) }
const long = 'n'.repeat(300)

type Variation = readonly [name: string, members: object, adjustments: ReadonlyArray<string>, left?: object]

/** Documents that differ from a valid one in a small thing that is harmless: what is told, and what is left of it. */
const harmless: ReadonlyArray<Variation> = [
  ['a name in another language', { 'client_name#fr': 'Appli' }, [], { 'client_name#fr': 'Appli' }],
  ['an unknown member', { mcp_version: 1 }, []],
  ['no contacts', { contacts: [] }, []],
  ['a page by http', { client_uri: 'http://app.example/' }, []],
  [
    'a loopback URI beside https',
    { application_type: 'native', redirect_uris: [good, 'http://127.0.0.1/cb'] },
    [],
    { redirect_uris: [good, 'http://127.0.0.1/cb'] },
  ],
  [
    'no method',
    { token_endpoint_auth_method: undefined },
    ['/token_endpoint_auth_method document-auth-method-none'],
    { token_endpoint_auth_method: 'none' },
  ],
  [
    'two methods',
    { token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'] },
    [],
    { token_endpoint_auth_method: 'none' },
  ],
  ['an empty scope', { scope: '' }, ['/scope scope-empty'], { scope: undefined }],
  ['a scope that nobody allowed', { scope: 'openid tools' }, ['/scope document-narrowed'], { scope: 'openid' }],
  [
    'the device grant beside the code grant',
    { grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'] },
    ['/grant_types document-narrowed'],
    { grant_types: ['authorization_code'] },
  ],
  [
    'client_credentials beside none',
    { grant_types: ['authorization_code', 'client_credentials'] },
    ['/grant_types document-narrowed'],
    { grant_types: ['authorization_code'] },
  ],
  [
    'a second response type',
    { response_types: ['token', 'code'] },
    ['/response_types/0 document-left-out'],
    { response_types: ['code'] },
  ],
  ['a data: logo', { logo_uri: 'data:image/png;base64,AA' }, ['/logo_uri document-left-out'], { logo_uri: undefined }],
  ['an empty logo', { logo_uri: '' }, ['/logo_uri empty-left-out'], { logo_uri: undefined }],
  ['a null logo', { logo_uri: null }, ['/logo_uri empty-left-out'], { logo_uri: undefined }],
  [
    'an oversized logo',
    { logo_uri: `https://app.example/${'x'.repeat(3000)}` },
    ['/logo_uri document-left-out'],
    { logo_uri: undefined },
  ],
  ['a relative policy_uri', { policy_uri: '/privacy' }, ['/policy_uri document-left-out'], { policy_uri: undefined }],
  ['contacts as a string', { contacts: 'a@app.example' }, ['/contacts document-left-out'], { contacts: undefined }],
  [
    'a name of 300 characters',
    { client_name: long },
    ['/client_name document-shortened'],
    { client_name: long.slice(0, 200) },
  ],
  [
    'a numeric software_version',
    { software_version: 1.1 },
    ['/software_version document-left-out'],
    { software_version: undefined },
  ],
  [
    'a bad redirection URI beside a good one',
    { redirect_uris: ['app.example/callback', good] },
    ['/redirect_uris/0 document-left-out'],
    { redirect_uris: [good] },
  ],
  [
    'a redirection URI twice',
    { redirect_uris: [good, good] },
    ['/redirect_uris repetition-left-out'],
    { redirect_uris: [good] },
  ],
  ['no grant types', { grant_types: [] }, ['/grant_types empty-left-out'], { grant_types: ['authorization_code'] }],
  [
    'an application type of another vendor',
    { application_type: 'spa' },
    ['/application_type document-left-out'],
    { application_type: 'web' },
  ],
]

/** Those that are refused, each alone and for nothing else. */
const dangerous: ReadonlyArray<readonly [name: string, members: object, fault: string]> = [
  ['a fragment in a redirection URI', { redirect_uris: [good, `${good}#`] }, '/redirect_uris/1 uri-fragment'],
  ['a scheme that runs a script', { redirect_uris: [good, 'javascript:alert(1)'] }, '/redirect_uris/1 uri-scheme'],
  ['a private key', { jwks: { keys: [privateKey] } }, '/jwks/keys/0/d jwk-private'],
  ['the client_id of another document', { client_id: `${id}?` }, '/client_id document-client-id'],
]

Narrow('there are 28 variations', () => assert.is(harmless.length + dangerous.length, 28))

for (const [name, changes, adjustments, left = {}] of harmless)
  Narrow(`taken: ${name}`, () => {
    const decided = accepted({ ...app, ...changes })
    assert.equal(brief(decided.adjustments), adjustments)
    const metadata: Readonly<Record<string, unknown>> = { ...decided.client.metadata }
    assert.equal(Object.fromEntries(Object.keys(left).map((member) => [member, metadata[member]])), left)
  })

for (const [name, changes, found] of dangerous)
  Narrow(`refused: ${name}`, () => {
    assert.equal(refusedFor({ ...app, ...changes }), [found])
    assert.equal(refusedFor({ ...app, logo_uri: '', software_version: 2, contacts: 'a', ...changes }), [found])
  })

Narrow('all that can be lost, at once', () => {
  const merged = harmless.slice(10).map(([, changes]) => changes)
  const { client, adjustments } = accepted(Object.assign({}, app, ...merged))
  assert.is(client.metadata.redirect_uris?.length, 1)
  assert.ok(adjustments.length >= 9, brief(adjustments).join())
})

Narrow('an adjustment says the rule with its remedy, and what was done', () => {
  const { adjustments } = accepted({ ...app, policy_uri: 'ftp://app.example/' })
  assert.equal(adjustments[0], {
    pointer: '/policy_uri',
    rule: 'document-left-out',
    description: 'policy_uri must begin with https:// or http://; it was left out',
  })
})

Narrow('a document of which no redirection URI is left is refused with the reasons', () => {
  const redirect_uris = ['app.example/callback', 'http://192.168.0.1/']
  assert.equal(refusedFor({ ...app, redirect_uris, logo_uri: 7 }), [
    '/redirect_uris/0 uri',
    '/redirect_uris/1 redirect-uri-web',
  ])
  assert.equal(refusedFor({ ...app, redirect_uris: good }), ['/redirect_uris array'])
})

Narrow('what is left of one rule is judged by the others, at the places of the published document', () => {
  const response_types = ['unknown', 'code id_token', 'token id_token', 'code']
  const { client, adjustments } = accepted({ ...app, response_types })
  assert.equal(client.metadata.response_types, ['code'])
  assert.equal(
    brief(adjustments),
    [0, 1, 2].map((index) => `/response_types/${index} document-left-out`),
  )
})

Narrow('a mode that needs a member which is missing, or was left out, goes with it', () => {
  const sent = {
    backchannel_token_delivery_mode: 'ping',
    backchannel_client_notification_endpoint: 'http://a.example/',
  }
  const { client } = accepted({ ...app, ...sent })
  assert.not('backchannel_token_delivery_mode' in client.metadata)
})

Narrow('what is left may break a rule of safety, at its place', () => {
  const redirect_uris = ['app.example/callback', good, 'https://b.example/callback']
  const decided = decide({ ...app, redirect_uris, subject_type: 'pairwise' })
  assert.equal(E.isLeft(decided) && brief(decided.left), [
    '/subject_type pairwise-sector',
    '/subject_type document-sector',
  ])
})

Narrow('what the policy requires, or decides by, is not lost', () => {
  assert.equal(refusedFor({ ...app, client_name: 7 }, { required_members: ['client_name'] }), ['/client_name string'])
  const software_statements = { software: [{ software_id: 'app', denied_versions: ['2'] }] }
  assert.equal(refusedFor({ ...app, software_id: 'app', software_version: 2 }, { software_statements }), [
    '/software_version string',
  ])
})

Narrow('a scope keeps the values that are some, because without it the client could ask for more', () => {
  assert.is(accepted({ ...app, scope: ' openid  openid "x" ' }).client.metadata.scope, 'openid')
  assert.equal(refusedFor({ ...app, scope: ['openid'] }), ['/scope string'])
})

Narrow('variants of a name: too many, twice the same, and of no language', () => {
  const many = Array.from({ length: 70 }, (_, at) => [`client_name#x-${at}`, 'App'])
  const decided = accepted({ ...app, ...Object.fromEntries(many), 'client_name#en': 'a', 'client_name#EN': 'b' })
  assert.is(Object.keys(decided.client.metadata).filter((name) => name.startsWith('client_name#')).length, 64)
  const tags = accepted({
    ...app,
    'client_name#en': 'a',
    'client_name#EN': 'b',
    'client_name#_': 'c',
    'tos_uri#fr': '/',
  })
  assert.equal(brief(tags.adjustments), [
    '/client_name#_ document-left-out',
    '/client_name#EN document-left-out',
    '/tos_uri#fr document-left-out',
  ])
  assert.equal(accepted({ ...app, [`client_name#${'x'.repeat(99)}`]: 'a' }).adjustments.length, 1)
})

Narrow('a name is shortened between signs, and left out where its beginning is no name', () => {
  assert.is(
    accepted({ ...app, client_name: `${'a'.repeat(199)}\u{1F600}\u{1F600}` }).client.metadata.client_name,
    `${'a'.repeat(199)}\u{1F600}`,
  )
  assert.is(
    accepted({ ...app, client_name: '\u{1F600}'.repeat(201) }).client.metadata.client_name,
    '\u{1F600}'.repeat(200),
  )
  assert.is(accepted({ ...app, client_name: `${'a'.repeat(199)}e\u0301` }).client.metadata.client_name, 'a'.repeat(199))
  assert.is(accepted({ ...app, client_name: `\n${long}` }).client.metadata.client_name, undefined)
})

it(
  'the beginning of any text is within the limit, and no half of a sign',
  [fc.string({ unit: 'grapheme' }), fc.nat(99)],
  (text, most) => {
    const cut = beginningOf(text, most)
    assert.ok(Array.from(cut).length <= most && text.startsWith(cut) && (cut.isWellFormed() || !text.isWellFormed()))
    if (Array.from(text).length <= most) assert.is(cut, text)
  },
)

Narrow('each of the faults that can be alone in a body refuses for safety, or because nothing is left', () => {
  for (const { body, fault: found } of everyFaultOf({})) {
    const decided = decide({ client_id: id, token_endpoint_auth_method: 'none', ...body })
    if (E.isRight(decided)) continue
    const isNeeded = decided.left.every(
      ({ pointer, rule }) => /^\/(?:redirect_uris|scope)/.test(pointer) || rule === 'confidential-grant',
    )
    assert.ok(
      isNeeded || decided.left.some((fault) => kindOfFault(fault) === 'safety'),
      `${found.rule} ${brief(decided.left).join()}`,
    )
  }
})

it(
  'any document is decided; what was left of one loses nothing more',
  [fc.dictionary(fc.constantFrom(...Object.keys(members)), fc.anything(), { noNullPrototype: true })],
  (values) => {
    const decided = decide({ ...app, ...values })
    if (E.isLeft(decided)) return assert.ok(decided.left.length > 0)
    const { metadata } = decided.right.client
    const again = accepted({ ...metadata, client_id: id })
    assert.equal([again.client.metadata, again.adjustments], [metadata, []])
  },
)

Narrow.run()
