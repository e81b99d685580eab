import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  law,
  loopbackRedirectUri,
  nativeRedirectUri,
  privateUseUri,
  ruleContext,
  validate,
  webRedirectUri,
} from '@clientele/testing'
import { effectiveApplicationType } from '../../src/client/metadata.js'
import { allRules, validateClientMetadata } from '../../src/client/rules.js'

const Type = suite('the application type of a client')
const it = law(Type)

const typeOf = (body: Readonly<Record<string, unknown>>): string => validate(body).metadata.application_type
const rulesOf = (body: Readonly<Record<string, unknown>>): ReadonlyArray<string> =>
  validate(body).faults.map(({ pointer, rule }) => `${pointer} ${rule}`)

const installed = fc.uniqueArray(fc.oneof(privateUseUri(), loopbackRedirectUri()), { minLength: 1, maxLength: 3 })
const claimed = fc.uniqueArray(nativeRedirectUri(), { maxLength: 3 })
const any = fc.uniqueArray(fc.oneof(webRedirectUri(), nativeRedirectUri()), { minLength: 1, maxLength: 3 })

it('of an installed application is native, beside https as well', [installed, claimed], (device, more) => {
  const redirect_uris = [...new Set([...more, ...device])]
  assert.is(typeOf({ redirect_uris }), 'native')
  assert.equal(rulesOf({ redirect_uris }), [])
})

it('that the client names is kept', [fc.constantFrom('web', 'native'), any], (application_type, redirect_uris) =>
  assert.is(typeOf({ application_type, redirect_uris }), application_type),
)

it('that is inferred never refuses what a web client may register', [any, any], (redirect_uris, bye) => {
  const body = { redirect_uris, post_logout_redirect_uris: bye }
  const asWeb = new Set(rulesOf({ application_type: 'web', ...body }).map((fault) => fault.split(' ')[0]))
  for (const fault of rulesOf(body)) assert.ok(asWeb.has(fault.split(' ')[0]), fault)
})

it('keeps the rules of web clients with the implicit grant', [any], (redirect_uris) =>
  assert.is(typeOf({ redirect_uris, grant_types: ['implicit'], response_types: ['id_token'] }), 'web'),
)

const anyMember = fc.record({
  redirect_uris: fc.anything(),
  post_logout_redirect_uris: fc.anything(),
  grant_types: fc.anything(),
  application_type: fc.anything(),
})
it('is web or native for members of any value', [anyMember, fc.boolean()], (body, replacesWebType) => {
  const { metadata } = validateClientMetadata(allRules, { ...ruleContext, replacesWebType })(body)
  assert.ok(['web', 'native'].includes(metadata.application_type))
})

Type('of https alone is web, as it is without redirection URIs', () => {
  for (const redirect_uris of [undefined, [], ['https://rp.example/cb'], ['HTTPS://rp.example/cb']])
    assert.is(typeOf({ redirect_uris, grant_types: [] }), 'web')
})

Type('is web where a native client may not have one of the URIs', () => {
  assert.is(typeOf({ redirect_uris: ['http://localhost/cb', 'https://localhost/cb'] }), 'web')
  const body = { redirect_uris: ['http://localhost/cb'], post_logout_redirect_uris: ['https://127.0.0.1/bye'] }
  assert.equal([typeOf(body), rulesOf(body)], ['web', []])
})

Type('of Cursor, which leaves it out, is native', () => {
  const redirect_uris = [
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'https://www.cursor.com/agents/mcp/oauth/callback',
    'http://localhost:8787/callback',
  ]
  assert.equal([typeOf({ redirect_uris }), rulesOf({ redirect_uris })], ['native', []])
})

Type('does not depend on entries that are refused for another reason', () => {
  assert.equal(rulesOf({ redirect_uris: ['com.example.app:/cb', 'com.example.app:/cb#', 5] }), [
    '/redirect_uris/1 uri-fragment',
    '/redirect_uris/2 string',
  ])
})

Type('infers nothing from a scheme that is never taken', () => {
  assert.equal(rulesOf({ redirect_uris: ['javascript:alert(1)'] }), ['/redirect_uris/0 uri-scheme'])
  assert.is(typeOf({ redirect_uris: ['javascript:alert(1)'] }), 'web')
})

Type('web, which private-use schemes contradict, is refused, or replaced where the policy says so', () => {
  const facts = (redirect_uris: ReadonlyArray<string>) => ({
    requested: { application_type: 'web', redirect_uris } as const,
    invalid: {},
  })
  const cursor = facts(['cursor://anysphere.cursor-mcp/oauth/callback'])
  const replacing = { replacesWebType: true, takesPrivateHttp: true }
  assert.is(effectiveApplicationType(cursor, { ...replacing, replacesWebType: false }), 'web')
  assert.is(effectiveApplicationType(cursor, replacing), 'native')
  for (const uri of ['http://localhost:4242', 'https://rp.example/cb', 'http://192.168.1.5/cb'])
    assert.is(effectiveApplicationType(facts([uri]), replacing), 'web')
})

Type.run()
