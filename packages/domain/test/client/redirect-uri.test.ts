import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  answerOfAuthorization,
  knownPrivateUseSchemes,
  redirectUriFault,
  uriFault,
  uriParts,
} from '../../src/client/uris.js'
import {
  implicitRedirectUri,
  law,
  loopbackRedirectUri,
  nativeRedirectUri,
  privateUseUri,
  validate,
  webRedirectUri,
} from '@clientele/testing'

const RedirectUri = suite('redirectUriFault')
const it = law(RedirectUri)
const use = {
  implicit: false,
  answer: answerOfAuthorization,
  schemes: new Set<string>(knownPrivateUseSchemes),
  privateHttp: false,
}
const web = redirectUriFault({ ...use, applicationType: 'web' })
const implicit = redirectUriFault({ ...use, applicationType: 'web', implicit: true })
const native = redirectUriFault({ ...use, applicationType: 'native' })
const any = fc.oneof(webRedirectUri(), nativeRedirectUri())

RedirectUri('a wildcard is told as one wherever it stands, and a parameter whatever its value is', () => {
  assert.is(native('com.example://*/cb'), 'redirect-uri-wildcard')
  assert.is(web('https://rp.example/?a=b&code=of-the-client'), 'redirect-uri-query')
})

// What is wrong in another way than by its pattern, so that leaving out the * would not help.
const otherwise = ['uri', 'uri-fragment', 'uri-user-info', 'uri-dot-segment', 'uri-scheme']
const patterns = fc
  .tuple(fc.oneof(any, fc.webUrl()), fc.nat())
  .map(([uri, at]) => `${uri.slice(0, 9 + (at % uri.length))}*${uri.slice(9 + (at % uri.length))}`)
  .filter((uri) => `${uriParts(uri).authority ?? ''}${uriParts(uri).path}`.includes('*'))

it('of a URI with a wildcard, the remedy for wildcards is told, in every member of them', [patterns], (uri) => {
  for (const member of ['redirect_uris', 'post_logout_redirect_uris', 'claims_redirect_uris'])
    for (const application_type of ['web', 'native']) {
      const { faults } = validate({ application_type, redirect_uris: ['https://rp.example/'], [member]: [uri] })
      const [fault] = faults.filter(({ pointer }) => pointer === `/${member}/0`)
      assert.ok(fault !== undefined && ['redirect-uri-wildcard', ...otherwise].includes(fault.rule), fault?.rule)
    }
})

it('a web client has https, and http on the loopback', [webRedirectUri()], (uri) => assert.is(web(uri), undefined))

it('a web client with the implicit grant has https and no loopback', [implicitRedirectUri()], (uri) =>
  assert.is(implicit(uri), undefined),
)

it('a native client has the loopback, claimed https and private-use schemes', [nativeRedirectUri()], (uri) =>
  assert.is(native(uri), undefined),
)

it(
  'a private-use scheme and the loopback are not for a web client with the implicit grant',
  [fc.oneof(privateUseUri(), loopbackRedirectUri())],
  (uri) => assert.is(implicit(uri), 'redirect-uri-implicit'),
)

it('what the implicit grant takes, the code grant takes as well', [any], (uri) => {
  if (implicit(uri) === undefined) assert.is(web(uri), undefined)
})

it(
  'only https, loopback http, schemes with a period and the known ones are taken',
  [fc.oneof(any, fc.webUrl(), fc.string())],
  (text) => {
    if (uriFault(text) !== undefined) return
    const { scheme, host } = uriParts(text)
    const known =
      scheme === 'https' ||
      (scheme === 'http' && ['localhost', '127.0.0.1', '[::1]'].includes(host)) ||
      scheme.includes('.') ||
      ['cursor', 'vscode', 'vscode-insiders', 'windsurf'].includes(scheme)
    if (!known) assert.ok(web(text) !== undefined && native(text) !== undefined && implicit(text) !== undefined)
  },
)

it(
  'what is registered is what was sent, byte for byte',
  [fc.uniqueArray(implicitRedirectUri(), { minLength: 1 })],
  (uris) => {
    const { metadata, faults } = validate({ redirect_uris: uris, post_logout_redirect_uris: uris })
    assert.equal([faults, metadata.redirect_uris, metadata.post_logout_redirect_uris], [[], uris, uris])
  },
)

const neverTaken = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'javascript://rp.example/%0aalert(1)',
  'data:text/html,x',
  'vbscript:x',
  'blob:https://rp.example/x',
  'file:///etc/passwd',
  'filesystem:x',
  'about:blank',
  'view-source:https://rp.example/',
  'intent://x',
  'mailto:me@rp.example',
  'ws://rp.example/',
  'wss://rp.example/',
  'ftp://rp.example/',
  'urn:ietf:wg:oauth:2.0:oob',
  'http://rp.example/cb',
  'http://localhost.evil.example/',
  'http://127.0.0.2/',
  'myapp:/cb',
  'myapp://cb',
  'regexp=.*',
  'chrome-extension:x',
  'https://*.example.com/cb',
  'https://rp.example/*',
  'https://rp.example/a*b',
  'com.example:/*',
  'com.example:*',
]
for (const uri of neverTaken)
  for (const application_type of ['web', 'native'])
    for (const member of ['redirect_uris', 'post_logout_redirect_uris'])
      RedirectUri(`${uri} is no ${member} entry of a ${application_type} client`, () => {
        const sent = {
          application_type,
          redirect_uris: ['https://rp.example/'],
          [member]: ['https://rp.example/', uri],
        }
        assert.equal(
          validate(sent).faults.map(({ pointer }) => pointer),
          [`/${member}/1`],
        )
      })

RedirectUri('private-use schemes are taken in both forms and in any case, byte for byte (RFC 8252 §7.1)', () => {
  const redirect_uris = [
    'com.example.app:/cb',
    'com.example.app://cb',
    'COM.Example.App:cb',
    'com.example.app:///cb?a=b',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'vscode://vscode.github-authentication/did-authenticate',
    'VSCode-Insiders:/cb',
    'windsurf://cb',
    'http://localhost:8787/callback',
    'https://www.cursor.com/agents/mcp/oauth/callback',
  ]
  const sent = { application_type: 'native', redirect_uris, post_logout_redirect_uris: redirect_uris }
  const { metadata, faults } = validate(sent)
  assert.equal([faults, metadata.redirect_uris, metadata.post_logout_redirect_uris], [[], redirect_uris, redirect_uris])
})

RedirectUri('subjects of one sector need a host, which a private-use scheme does not name (OpenID Core §8.1)', () => {
  const pairwise = {
    application_type: 'native',
    subject_type: 'pairwise',
    redirect_uris: ['com.example://rp.example/'],
  }
  assert.equal(
    validate(pairwise).faults.map(({ rule }) => rule),
    ['pairwise-sector'],
  )
  assert.equal(validate({ ...pairwise, sector_identifier_uri: 'https://rp.example/sector' }).faults, [])
})

RedirectUri('a * in the query is no wildcard', () => assert.is(web('https://rp.example/?a=*'), undefined))

RedirectUri('a native client has no https on the loopback', () => {
  for (const uri of ['https://localhost/', 'https://127.0.0.1/', 'https://[::1]/', 'https://LOCALHOST/'])
    assert.is(native(uri), 'redirect-uri-native')
})

RedirectUri('a web client with the implicit grant has no loopback, with https neither', () => {
  for (const uri of ['https://localhost/', 'https://127.0.0.1/', 'https://[::1]/', 'https://LOCALHOST:8443/'])
    assert.equal([implicit(uri), web(uri)], ['redirect-uri-implicit', undefined])
})

RedirectUri('the loopback is taken in any case and with any port', () => {
  for (const uri of ['http://LocalHost/', 'HTTP://127.0.0.1:1/', 'http://[::1]:65535/'])
    assert.equal([web(uri), native(uri)], [undefined, undefined])
})

RedirectUri('URIs that differ in a port, in case, in a slash or in an empty query are different URIs', () => {
  const uris = [
    'https://rp.example:443/cb',
    'https://RP.EXAMPLE/cb',
    'https://rp.example/cb',
    'https://rp.example',
    'https://rp.example/',
    'https://rp.example/cb?',
  ]
  assert.equal(validate({ redirect_uris: uris }).metadata.redirect_uris, uris)
})

RedirectUri('one faulty URI does not hide the next', () => {
  const redirect_uris = ['https://rp.example/#', 'http://rp.example/', 7, 'javascript:x']
  const faults = validate({ redirect_uris }).faults.map(({ pointer }) => pointer)
  assert.equal([...faults].sort(), ['/redirect_uris/0', '/redirect_uris/1', '/redirect_uris/2', '/redirect_uris/3'])
})

RedirectUri.run()
