import { clientOf, humanReadableText, law, registeredClient } from '@clientele/testing'
import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type ConsentFacts,
  type ConsentPolicy,
  type ConsentRequest,
  describeForConsent,
  noConsentPolicy,
  shownFacts,
} from '../../src/provider/consent.js'
import type { RegisteredBy } from '../../src/authorization/credential.js'
import { isOperatorsClient } from '../../src/client/ids.js'
import { confusableCharacters } from '../../src/provider/confusable-characters.js'
import { skeletonOf } from '../../src/provider/look-alikes.js'
import { consentOf, consentPolicy, consentRequest, requestOf } from '../support/consent.js'

const Facts = suite('the facts of a consent page')
const it = law(Facts)

const policy: ConsentPolicy = {
  protectedNames: [
    { name: 'PayPal', hosts: ['paypal.com'] },
    { name: 'Claude', hosts: ['claude.ai', 'anthropic.com'] },
    { name: 'Яндекс', hosts: [] },
  ],
  firstPartyClients: [],
  showsUnvouched: false,
}

const factsOf = (name: string, ...uris: ReadonlyArray<string>): ConsentFacts => {
  const [redirectUri = 'https://rp.example/cb'] = uris
  const client = clientOf('app', {
    client_name: name,
    application_type: 'native',
    redirect_uris: [redirectUri, ...uris],
  })
  return describeForConsent(policy)(requestOf({ client, redirectUri }), O.none)
}

const warnings = (name: string, ...uris: ReadonlyArray<string>) =>
  factsOf(name, ...uris).warnings.map((warning) => ('name' in warning ? warning.name : warning.kind))

it(
  'total: any request has facts, and its redirect host is the first',
  [consentRequest(), consentPolicy()],
  (request, any) => {
    const facts = describeForConsent(any)(request, O.none)
    assert.is(facts.redirectHosts.length, new Set(facts.redirectHosts.map(({ host }) => host)).size)
    assert.ok(request.redirectUri.toLowerCase().includes(facts.redirectHosts[0]?.host ?? 'none'))
    assert.equal([facts.scope, facts.resources, facts.changes], [request.scope, request.resources, []])
  },
)

it(
  'total for any names, documents and consents',
  [registeredClient(), fc.array(fc.string({ unit: 'binary' })), fc.anything(), fc.string({ unit: 'binary' })],
  (client, names, shown, software_statement) => {
    const metadata = {
      ...client.metadata,
      client_name: names[0] ?? '',
      'client_name#de': names[1] ?? '',
      software_statement,
    }
    const request = { ...requestOf({ client }), client: { ...client, metadata } } as ConsentRequest
    const earlier = { ...consentOf(request), shown } as ReturnType<typeof consentOf>
    const protectedNames = names.map((name) => ({ name, hosts: [] }))
    const { identity } = describeForConsent({ ...policy, protectedNames })(request, O.some(earlier))
    assert.equal(identity, { kind: isOperatorsClient(client) ? 'registered' : 'claimed' })
  },
)

Facts('an operator is named as the source of an application, and nobody else is; warnings stay', () => {
  const client = clientOf('app', { client_name: 'Official PayPal' })
  const by = (registered_by: RegisteredBy) =>
    describeForConsent(policy)(requestOf({ client: { ...client, registered_by } }), O.none)
  for (const registered_by of ['nobody', 'token', 'operator_token', 'master'] as const) {
    const { identity, warnings: told } = by(registered_by)
    const isOfOperator = registered_by === 'master' || registered_by === 'operator_token'
    assert.equal(identity, { kind: isOfOperator ? 'registered' : 'claimed' }, registered_by)
    assert.equal(told, by('nobody').warnings)
    assert.equal(shownFacts(by(registered_by)), shownFacts(by('nobody')), 'earlier consents count')
  }
})

it('a name alone never makes an application verified', [humanReadableText(), humanReadableText()], (name, tagged) => {
  const client = clientOf('app', { client_name: name, 'client_name#de': tagged })
  assert.is(describeForConsent(policy)(requestOf({ client }), O.none).identity.kind, 'claimed')
})

it(
  'the application at all the hosts of a name may have it, and no other',
  [fc.constantFrom(...policy.protectedNames)],
  ({ name, hosts }) => {
    for (const host of hosts) {
      assert.equal(warnings(name, `https://${host}/cb`), [])
      assert.equal(warnings(name, `https://login.${host}/cb`, `https://${host}:8443/cb`), [])
      assert.equal(warnings(name, `https://not${host}/cb`), [name])
      assert.equal(warnings(name, `https://${host}/cb`, 'https://evil.example/cb'), [name])
      assert.equal(warnings(name, `https://${host}.evil.example/cb`), [name])
    }
    assert.equal(warnings(name, 'https://evil.example/cb'), [name])
  },
)

Facts('names that can be taken for a protected one are recognized', () => {
  for (const name of [
    'PayPal',
    'paypal',
    'PAYPAL',
    'Pay Pal',
    'PayPaI',
    'Paypa1',
    'ＰａｙＰａｌ',
    '𝐏𝐚𝐲𝐏𝐚𝐥',
    'Páypál',
    'Pay\u00ADPal',
    'Pay\u200BPal',
    'PayPal Support',
    'The-PayPal-Connector',
  ])
    assert.ok(warnings(name).includes('PayPal'), name)
  for (const name of ['Pаypal', 'Рaypal', 'ΡayPal', 'pаураl']) assert.ok(warnings(name).includes('PayPal'), name)
  for (const name of [
    'PayPa|',
    'PayPa!',
    '|PayPal|',
    'P@yPal',
    'Ⓟay🅿al',
    '🄿🄰🅈🄿🄰🄻',
    '🇵🇦🇾🇵🇦🇱',
    '℗ay℗al',
    'ᴘᴀʏᴘᴀʟ',
    'PayPal®',
  ])
    assert.ok(warnings(name).includes('PayPal'), name)
  assert.ok(warnings('CIaude').includes('Claude'))
  assert.ok(warnings('Сlaude').includes('mixed_scripts'))
  assert.ok(warnings('Яндeкс').includes('Яндекс'))
})

const otherProtected = (name: string, known: string): boolean =>
  describeForConsent({ ...noConsentPolicy, protectedNames: [{ name: known, hosts: [] }] })(
    requestOf({ client: clientOf('app', { client_name: name }) }),
    O.none,
  ).warnings.some(({ kind }) => kind === 'looks_like')

Facts('signs are letters, or stand between words: Micro$oft, ᴍicrosoft, Yahoo!, O2 and AT&T', () => {
  for (const name of ['Ⓜicrosoft', 'ᴍicrosoft', 'Micro$oft', '🅼🅸🅲🆁🅾🆂🅾🅵🆃', 'Ⓜ️icrosoft', 'The Micros0ft|Shop'])
    assert.ok(otherProtected(name, 'Microsoft'), name)
  for (const name of ['Yahoo', 'Yahoo!', 'YAHOO! Mail', 'Yah00!']) assert.ok(otherProtected(name, 'Yahoo!'), name)
  for (const name of ['O2', 'O2!', '|O2|', 'O⓶', 'O② Shop', '⓿2']) assert.ok(otherProtected(name, 'O2'), name)
  assert.ok(otherProtected('AT & T', 'AT&T'), 'AT&T')
  for (const name of ['P@yPal!', 'P@yPa!!', '!P@yPal|', 'P@yPal! Shop']) assert.ok(otherProtected(name, 'PayPal'), name)
  assert.not(otherProtected('Nordlicht! | Shop @ Home', 'PayPal'))
})

/** Each character that counts as one of these, by the table and by Unicode's own decomposition. */
const disguises: ReadonlyMap<string, ReadonlyArray<string>> = (() => {
  const found = new Map<string, Array<string>>()
  const add = (plain: string, character: string) => {
    found.set(plain, [...(found.get(plain) ?? [plain]), character])
  }
  for (const [plain, codes] of Object.entries(confusableCharacters))
    for (const code of codes.split(' ')) add(plain, String.fromCodePoint(parseInt(code, 16)))
  for (let code = 0x80; code < 0x20000; code += 1) {
    const character = String.fromCodePoint(code)
    const plain = /[\uD800-\uDFFF]/.test(character)
      ? ''
      : character.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
    if (/^[a-z0-9]$/.test(plain)) add(plain, character)
  }
  for (const sign of ['|', '!', '1', 'I']) add('l', sign)
  for (const sign of ['|', '!', '1', 'L']) add('i', sign)
  add('s', '$')
  add('a', '@')
  add('o', '0')
  return found
})()

it(
  'a protected name is recognized in any disguise of its letters, alone and within a longer name',
  [
    fc.stringMatching(/^[a-z0-9]{1,12}$/).filter((name) => name !== ''),
    fc.infiniteStream(fc.nat()),
    fc.constantFrom('', ' Shop', '!', ' | Official'),
  ],
  (known, choices, more) => {
    const disguised = Array.from(known, (letter) => {
      const all = disguises.get(letter) ?? [letter]
      return all[Number(choices.next().value) % all.length] ?? letter
    })
    // What else is a word of its own, by its space.
    assert.ok(otherProtected(`${disguised.join('')}${more}`, known), disguised.join(''))
  },
)

Facts('each character of the table counts as what it looks like', () => {
  for (const [plain, codes] of Object.entries(confusableCharacters))
    for (const code of codes.split(' '))
      assert.is(skeletonOf(String.fromCodePoint(parseInt(code, 16))), skeletonOf(plain), `${plain} U+${code}`)
})

Facts('names in one script, also several words of several scripts, have no warning', () => {
  for (const name of [
    'Nordlicht Shop',
    'Папка',
    'Музыка Spotify',
    '東京 Bank',
    'カタカナApp漢字',
    'Ελληνική εφαρμογή',
    'متجر',
    'Pal Pay',
    'Café 24/7',
    'naïve',
    '',
  ])
    assert.equal(warnings(name), [], name)
})

Facts('a word of status is named, also in other letters', () => {
  for (const name of ['Official Chat', 'Chat (verified)', 'VERIFIED', '公式 アプリ', 'Οfficial'])
    assert.ok(warnings(name).includes('claims_status'), name)
})

Facts('loopback alone, and a private-use scheme, have a warning each', () => {
  assert.equal(warnings('Tool', 'http://127.0.0.1/cb'), ['loopback_only'])
  assert.equal(warnings('Tool', 'http://localhost:33418/cb', 'http://127.0.0.1/cb'), ['loopback_only'])
  assert.equal(warnings('Tool', 'http://127.0.0.1/cb', 'https://tool.example/cb'), [])
  assert.equal(warnings('Tool', 'cursor://anysphere.cursor-mcp/oauth/callback'), ['private_use_scheme'])
})

// RFC 4648 §5, of text in ASCII
const part = (value: unknown): string =>
  btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
const statement = (claims: unknown): string => `${part({ alg: 'ES256' })}.${part(claims)}.c2ln`

Facts('an issuer vouches for what its statement holds: the name and this URI (RFC 7591 §2.3)', () => {
  const redirect_uris = ['https://bank.example/cb']
  const identityFor = (claims: unknown) => {
    const client = clientOf('app', { redirect_uris })
    const metadata = { ...client.metadata, software_statement: statement(claims) }
    return describeForConsent(noConsentPolicy)(
      { ...requestOf({ client }), client: { ...client, metadata }, redirectUri: 'https://bank.example/cb' },
      O.none,
    ).identity
  }
  const whole = { iss: 'https://directory.example/eu', client_name: 'Bänk', redirect_uris }
  assert.equal(identityFor(whole), { kind: 'verified', host: 'directory.example' })
  assert.equal(identityFor({ ...whole, iss: 'directory.example' }), { kind: 'verified', host: 'directory.example' })
  for (const claims of [
    { ...whole, client_name: undefined },
    { ...whole, redirect_uris: ['https://other.example/cb'] },
    { ...whole, iss: 'http://directory.example' },
    { ...whole, iss: 'Directory of banks' },
    { ...whole, iss: 7 },
    [],
    null,
  ])
    assert.equal(identityFor(claims), { kind: 'claimed' })
})

Facts('an issuer vouches for a URI on loopback at any port (RFC 8252 §7.3)', () => {
  const redirect_uris = ['http://127.0.0.1/cb']
  const client = clientOf('app', { redirect_uris, application_type: 'native' })
  const claims = { iss: 'https://directory.example', client_name: 'Bänk', redirect_uris }
  const metadata = { ...client.metadata, software_statement: statement(claims) }
  const identityAt = (redirectUri: string) =>
    describeForConsent(noConsentPolicy)(
      { ...requestOf({ client }), client: { ...client, metadata }, redirectUri },
      O.none,
    ).identity
  for (const uri of ['http://127.0.0.1/cb', 'http://127.0.0.1:49152/cb'])
    assert.equal(identityAt(uri), { kind: 'verified', host: 'directory.example' }, uri)
  assert.equal(identityAt('http://127.0.0.1:49152/other'), { kind: 'claimed' })
})

Facts('a name with joiners looks like the one without them', () => {
  for (const name of [
    '\u0646\u0631\u0645\u200C\u0627\u0641\u0632\u0627\u0631',
    '\u0915\u094D\u200D\u0937',
    '\u{1F469}\u200D\u{1F4BB}',
  ])
    assert.is(skeletonOf(name), skeletonOf(name.replace(/[\u200C\u200D]/, '')))
})

Facts.run()
