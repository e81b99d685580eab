import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isOnPrivateNetwork, redirectionUriFault, uriParts } from '../../src/client/uris.js'
import { validateClientMetadata } from '../../src/client/rules.js'
import { noPolicy } from '../../src/policy/policy.js'
import { ruleBook } from '../../src/registration/decide.js'
import { law, nativeRedirectUri, ruleContext, webRedirectUri } from '@clientele/testing'

const Networks = suite('http on private networks, by policy')
const it = law(Networks)

const members = ['redirect_uris', 'post_logout_redirect_uris', 'claims_redirect_uris']

const validated = (allow_http_on_private_networks: boolean, body: Readonly<Record<string, unknown>>) => {
  const book = ruleBook({ policy: { ...noPolicy, allow_http_on_private_networks }, outboundFetches: true })
  return validateClientMetadata(book.rules, { ...ruleContext, ...book })(body)
}

/** The rules that a client violates with the URI in each of the lists. */
const rulesOf = (isAllowed: boolean, uri: string, client: object = { application_type: 'native' }) => {
  const reported = members.map((member) =>
    validated(isAllowed, { ...client, redirect_uris: ['https://rp.example/'], [member]: ['https://rp.example/', uri] })
      .faults.filter(({ pointer }) => pointer === `/${member}/1`)
      .map(({ rule }) => rule),
  )
  assert.equal(reported, [reported[0], reported[0], reported[0]], 'the same for each list of redirection URIs')
  return reported[0] ?? []
}

const octet = fc.integer({ min: 0, max: 255 })
const group = fc.integer({ min: 0, max: 0xffff }).map((each) => each.toString(16))
const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/)

const privateHost = fc.oneof(
  fc.tuple(octet, octet, octet).map((rest) => `10.${rest.join('.')}`),
  fc.tuple(fc.integer({ min: 16, max: 31 }), octet, octet).map((rest) => `172.${rest.join('.')}`),
  fc.tuple(octet, octet).map((rest) => `192.168.${rest.join('.')}`),
  fc.tuple(label, fc.constantFrom('local', 'internal')).map((labels) => labels.join('.')),
  fc
    .tuple(fc.integer({ min: 0xfc00, max: 0xfdff }), group, group)
    .map(([first, ...more]) => `[${first.toString(16)}:${more.join(':')}::1]`),
)
const privateUri = fc
  .tuple(privateHost, fc.constantFrom('', ':8123', ':80'), fc.constantFrom('', '/', '/cb?a=b'))
  .map((parts) => `http://${parts.join('')}`)

it('a native client has it where the policy says so, byte for byte, and nowhere else', [privateUri], (uri) => {
  assert.equal(rulesOf(true, uri), [])
  assert.equal(rulesOf(false, uri), ['redirect-uri-private-network'])
  assert.equal(validated(true, { application_type: 'native', redirect_uris: [uri] }).metadata.redirect_uris, [uri])
  assert.ok(isOnPrivateNetwork(uriParts(uri).host))
})

it(
  'neither a web client nor one with the implicit grant has it, whatever the policy',
  [privateUri, fc.boolean()],
  (uri, isAllowed) => {
    for (const application_type of ['web', 'native'])
      for (const implicit of [{}, { grant_types: ['implicit'], response_types: ['id_token'] }]) {
        if (application_type === 'native' && !('grant_types' in implicit)) continue
        const { faults } = validated(isAllowed, { application_type, redirect_uris: [uri], ...implicit })
        assert.ok(
          faults.some(({ pointer }) => pointer === '/redirect_uris/0'),
          JSON.stringify(faults),
        )
      }
  },
)

it('a client that leaves out its type is native with it, where it is taken', [privateUri], (uri) => {
  const { metadata, faults } = validated(true, { redirect_uris: [uri] })
  assert.equal([metadata.application_type, faults], ['native', []])
  assert.is(validated(false, { redirect_uris: [uri] }).metadata.application_type, 'web')
})

it(
  'the policy changes nothing for any other URI, and refuses none that was taken',
  [
    fc.oneof(webRedirectUri(), nativeRedirectUri(), fc.webUrl(), fc.string()),
    fc.constantFrom('web', 'native', undefined),
  ],
  (uri, application_type) => {
    const isPrivate = redirectionUriFault(uri) === undefined && isOnPrivateNetwork(uriParts(uri).host)
    if (isPrivate && uriParts(uri).scheme === 'http') return
    const judged = [true, false].map((isAllowed) => validated(isAllowed, { application_type, redirect_uris: [uri] }))
    assert.equal(judged[0], judged[1])
  },
)

it('it is total, for any text', [fc.string()], (text) => assert.type(isOnPrivateNetwork(text), 'boolean'))

const elsewhere = [
  'http://192.169.1.1/',
  'http://172.15.0.1/',
  'http://172.32.0.1/',
  'http://11.0.0.1/',
  'http://10.0.0.1.example/',
  'http://10.1/',
  'http://local/',
  'http://hub/',
  'http://hub.local.example/',
  'http://hublocal/',
  'http://169.254.1.1/',
  'http://100.64.0.1/',
  'http://[fe80::1]/',
  'http://[2001:db8::1]/',
  'http://[fd00::1::2]/',
  'http://[fd0:1::2]/',
  'http://[fd00]/',
  'http://[fd00::1%25eth0]/',
  'http://[::ffff:10.0.0.1]/',
  'https://[fd00::1]/',
]
for (const uri of elsewhere)
  Networks(`${uri} is none of them`, () => {
    assert.equal(rulesOf(true, uri), rulesOf(false, uri))
    assert.is(rulesOf(true, uri).length, 1)
  })

Networks('https on such a host is as on any other, and the names of hosts are in any case', () => {
  for (const isAllowed of [true, false])
    for (const uri of ['https://192.168.1.5/cb', 'https://hub.local/cb']) assert.equal(rulesOf(isAllowed, uri), [])
  for (const uri of ['http://HUB.Local/cb', 'http://[FD00::1]/cb', 'HTTP://10.0.0.1/'])
    assert.equal(rulesOf(true, uri), [])
})

Networks('what is wrong with a URI otherwise stays wrong', () => {
  for (const [uri, rule] of [
    ['http://[fd00::1]/a/../cb', 'uri-dot-segment'],
    ['http://u@192.168.1.5/cb', 'uri-user-info'],
    ['http://[fd00::1]:65536/cb', 'uri-host'],
    ['http://192.168.1.5/*', 'redirect-uri-wildcard'],
    ['http://192.168.1.5/cb?code=1', 'redirect-uri-query'],
  ] as const)
    assert.ok(
      validated(true, { application_type: 'native', redirect_uris: [uri] }).faults.some((fault) => fault.rule === rule),
      uri,
    )
})

Networks('subjects of one sector need a host with an owner (OpenID Core §8.1)', () => {
  const client = { application_type: 'native', subject_type: 'pairwise', redirect_uris: ['http://192.168.1.5/cb'] }
  assert.equal(
    validated(true, client).faults.map(({ rule }) => rule),
    ['pairwise-sector'],
  )
})

Networks.run()
