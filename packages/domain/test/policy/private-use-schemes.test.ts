import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isPrivateUseName, refusedSchemes } from '../../src/client/uris.js'
import { validateClientMetadata } from '../../src/client/rules.js'
import { ruleBook } from '../../src/registration/decide.js'
import { noPolicy } from '../../src/policy/policy.js'
import { law, nativeRedirectUri, ruleContext } from '@clientele/testing'

const Schemes = suite('private-use schemes, by policy')
const it = law(Schemes)

const members = ['redirect_uris', 'post_logout_redirect_uris', 'claims_redirect_uris']

/** The rules that a native client violates with a URI in each of the lists. */
const rulesOf = (uri: string, allowed?: ReadonlyArray<string>, application_type = 'native'): ReadonlyArray<string> => {
  const policy = allowed === undefined ? noPolicy : { ...noPolicy, allowed_private_use_schemes: allowed }
  const book = ruleBook({ policy, outboundFetches: true })
  const validate = validateClientMetadata(book.rules, { ...ruleContext, ...book })
  const reported = members.map((member) => {
    const body = { application_type, redirect_uris: ['https://rp.example/'], [member]: ['https://rp.example/', uri] }
    return validate(body).faults.map(({ rule, pointer }) => `${rule}${pointer === `/${member}/1` ? '' : pointer}`)
  })
  assert.equal(reported, [reported[0], reported[0], reported[0]], 'the same for each list of redirection URIs')
  return reported[0] ?? []
}

const alphabet = Array.from('abcdefghijklmnopqrstuvwxyz')
const ending = fc.string({ unit: fc.constantFrom(...alphabet, '0', '-', '+', '.'), maxLength: 6 })
// RFC 3986 §3.1: schemes are compared without regard to case
const inAnyCase = (scheme: fc.Arbitrary<string>) =>
  scheme.chain((made) => fc.mixedCase(fc.constant(made)).map((mixed) => [made, mixed] as const))
const dangerous = inAnyCase(
  fc.oneof(
    fc.constantFrom(...refusedSchemes.flatMap(({ schemes }) => schemes)),
    fc
      .tuple(fc.constantFrom(...refusedSchemes.flatMap(({ prefixes }) => prefixes)), ending)
      .map(([prefix, rest]) => `${prefix}${rest}x`)
      .filter((made) => !/^https?$/.test(made)),
  ),
)
const other = fc
  .string({ unit: fc.constantFrom(...alphabet, '-'), minLength: 1, maxLength: 9 })
  .filter((made) => isPrivateUseName(made))
const form = fc.constantFrom('cb', '/cb', '//cb', '//rp.example/cb', '///cb', '')
const lists = fc.uniqueArray(
  fc.oneof(
    other,
    dangerous.map(([made]) => made),
    fc.constantFrom('cursor', 'vscode'),
  ),
  { maxLength: 5 },
)

it(
  'no policy admits a dangerous scheme, in whichever case, form or client',
  [dangerous, form, lists],
  (made, rest, list) => {
    const [scheme, mixed] = made
    for (const type of ['native', 'web'])
      assert.equal(rulesOf(`${mixed}:${rest}`, [...list, scheme, mixed], type), ['uri-scheme'])
  },
)

it('a policy takes what it lists, and nothing else without a period', [other, form, lists], (scheme, rest, list) => {
  assert.equal(rulesOf(`${scheme.toUpperCase()}:${rest}`, [...list, scheme]), [])
  const without = list.filter((each) => each !== scheme)
  assert.equal(rulesOf(`${scheme}:${rest}`, without), ['redirect-uri-private-use'])
})

it('a scheme with a period is taken under any policy', [other, other, form, lists], (top, name, rest, list) => {
  const scheme = `${top}.${name}`
  if (isPrivateUseName(scheme)) assert.equal(rulesOf(`${scheme}:${rest}`, list), [])
})

it(
  'a wider policy never refuses what a narrower one takes',
  [
    fc.oneof(
      nativeRedirectUri(),
      fc.tuple(other, form).map(([scheme, rest]) => `${scheme}:${rest}`),
    ),
    lists,
    lists,
  ],
  (uri, list, more) => {
    const wider = rulesOf(uri, [...list, ...more])
    for (const rule of wider) assert.ok(rulesOf(uri, list).includes(rule), rule)
  },
)

Schemes('without a word of the operator, the schemes of well-known editors are taken', () => {
  for (const scheme of ['cursor', 'vscode', 'vscode-insiders', 'windsurf']) assert.equal(rulesOf(`${scheme}://cb`), [])
  assert.equal(rulesOf('zed://cb'), ['redirect-uri-private-use'])
})

Schemes('a list of the operator takes the place of those', () => {
  assert.equal(rulesOf('zed://cb', ['zed']), [])
  assert.equal(rulesOf('cursor://cb', ['zed']), ['redirect-uri-private-use'])
  assert.equal(rulesOf('cursor://cb', []), ['redirect-uri-private-use'])
})

Schemes('a web client has none of them', () => {
  for (const uri of ['cursor://cb', 'com.example.app:/cb'])
    assert.equal(rulesOf(uri, ['cursor'], 'web'), ['redirect-uri-web'])
})

Schemes('each refused scheme stands once, as a scheme is written, and no web address is one', () => {
  const names = refusedSchemes.flatMap(({ schemes }) => schemes)
  const prefixes = refusedSchemes.flatMap((each) => each.prefixes)
  assert.is(new Set([...names, ...prefixes]).size, names.length + prefixes.length)
  for (const name of [...names, ...prefixes]) assert.match(name, /^[a-z][a-z0-9+.-]*$/)
  for (const name of names)
    assert.not.ok(
      prefixes.some((prefix) => name.startsWith(prefix)),
      name,
    )
})

// Independent of the source: known effects of links in browsers and operating systems.
const known =
  'javascript data file vbscript blob filesystem about view-source intent ws wss ftp mailto tel sms chrome chrome-extension moz-extension ms-settings ms-msdt search-ms shell res urn web+any http+unix localhost x-apple.systempreferences itms-services'
for (const scheme of known.split(' '))
  Schemes(`${scheme} is never taken`, () => assert.equal(rulesOf(`${scheme}:x`, [scheme]), ['uri-scheme']))

Schemes.run()
