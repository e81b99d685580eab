import { law } from '@clientele/testing'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { baseUrlIn, baseUrlOfPage, destinationOf } from '../src/base-url.js'
import { firstState } from '../src/examples.js'
import { fieldsOf, stateOfFields } from '../src/state.js'
import { textOf } from '../src/pieces.js'
import { sections } from '../src/sections.js'
import { fragmentOf, fromBase64url, maxFragment, stateOfFragment, toBase64url } from '../src/share-link.js'
import { view } from '../src/view.js'
import { anyText, state } from './support/states.js'

const ShareLink = suite('the share link')
const it = law(ShareLink)

const first = firstState('https://op.example')
const linked = (json: unknown): string => `1.${toBase64url(JSON.stringify(json))}`

it('a link brings the state back, and is of characters that stand in an address', [state()], (any) => {
  const fragment = fragmentOf(any)
  if (E.isLeft(fragment)) return assert.match(any.body + any.url, /client_secret|registration_access_token|"kty"|@/)
  assert.match(fragment.right, /^1\.[\w-]+$/)
  assert.equal(stateOfFragment(fragment.right), E.right(any))
})

it(
  'any fragment whatever brings a state or says why not',
  [
    fc.oneof(
      anyText(),
      anyText().map((text) => `1.${text}`),
    ),
  ],
  (text) => {
    const read = stateOfFragment(text)
    assert.ok(E.isRight(read) || ['malformed', 'other_version', 'too_long'].includes(read.left))
  },
)

it(
  'any JSON in a link brings a state or is malformed',
  [fc.oneof(fc.jsonValue(), fc.array(fc.string(), { minLength: 6, maxLength: 7 }))],
  (json) => {
    const read = stateOfFragment(linked(json))
    if (E.isRight(read)) assert.equal(fragmentOf(read.right), E.right(linked(json)))
  },
)

it('the state is the same after the way through the fields of the form', [state()], (any) => {
  assert.equal(stateOfFields(fieldsOf(any)), any)
})

it(
  'any fields whatever make a state',
  [fc.array(fc.tuple(fc.constantFrom('mode', 'ticked', 'body', 'x'), fc.string()))],
  (fields) => {
    const made = stateOfFields(fields)
    assert.equal(stateOfFields(fieldsOf(made)), made)
  },
)

it('base64url is that of Node', [fc.string({ unit: 'grapheme' })], (text) => {
  assert.is(toBase64url(text), Buffer.from(text).toString('base64url'))
  assert.is(fromBase64url(toBase64url(text)), text)
})

ShareLink('what is no UTF-8 is no text', () => {
  assert.is(fromBase64url('_w'), undefined)
  assert.is(fromBase64url('a b'), undefined)
})

ShareLink('links of other versions, damaged ones and those with an unknown scope value are told apart', () => {
  const values = (value: string) => linked(['managed', '', value, '', '{}', ''])
  assert.equal(stateOfFragment('2.abc'), E.left('other_version'))
  for (const fragment of ['', 'decision', '1.', '1.!', linked([]), values('client-reg:x'), linked([0, 1, 2, 3, 4, 5])])
    assert.equal(stateOfFragment(fragment), E.left('malformed'), fragment)
  assert.ok(E.isRight(stateOfFragment(values('client-reg'))))
})

ShareLink('a link has the URL of a document where there is one, and is as before where there is none', () => {
  const body = '{}'
  const without = linked(['managed', '', '', '', body, ''])
  const read = stateOfFragment(without)
  assert.equal(E.isRight(read) ? [read.right.url, fragmentOf(read.right)] : read, ['', E.right(without)])
  const url = 'https://app.example/client.json'
  const fragment = fragmentOf({ ...first, body, url })
  assert.equal(E.isRight(fragment) && stateOfFragment(fragment.right), E.right({ ...first, body, url }))
  assert.equal(stateOfFragment(linked(['managed', '', '', '', body, '', ''])), E.left('malformed'))
  assert.equal(fragmentOf({ ...first, url: 'https://me:s3cret@app.example/' }), E.left('secret'))
})

ShareLink('a link is never longer than what is read', () => {
  const body = (length: number) => ({ ...first, body: 'x'.repeat(length) })
  const lengths = [100, 11_000, 12_000, 12_400, 13_000, 20_000, 1_000_000]
  assert.equal(
    lengths.map((length) => E.isRight(fragmentOf(body(length)))),
    [true, true, true, false, false, false, false],
  )
  assert.equal(stateOfFragment(`1.${'A'.repeat(maxFragment)}`), E.left('too_long'))
})

ShareLink('no link is made of a secret: of what a service answered, or of a private key', () => {
  for (const body of [
    '{"preferred_client_secret": "s3cret"}',
    '{"client_id": "x", "client_secret":"s3cret"}',
    "{client_secret: 's3cret",
    '{"client_secret_expires_at": 0}',
    '{"registration_access_token": "t0ken"}',
    '{"jwks": {"keys": [{"kty": "EC", "crv": "P-256", "x": "x", "y": "y", "d" : "s3cret"}]}}',
    '{"jwks": {"keys": [{"k":"s3cret","kty":"oct"}]}}',
  ])
    assert.equal(fragmentOf({ ...first, body }), E.left('secret'), body)
  for (const body of [
    '{"token_endpoint_auth_method": "client_secret_basic", "x": ["client_secret_post", "client_secret_jwt"]}',
    '{"jwks": {"keys": [{"kty": "RSA", "n": "d", "e": "AQAB", "kid": "k"}]}}',
    '{"data": {"d": "1", "k": "2"}}',
  ])
    assert.ok(E.isRight(fragmentOf({ ...first, body })), body)
})

it('a base URL is what stands before /clients, and any other text is none', [anyText()], (text) => {
  const url = baseUrlIn(text)
  if (url !== undefined) assert.match(url, /^https?:\/\/[^/?#@\s]+(\/[\w.~-]+)*$/)
})

ShareLink('the page tells the service that serves it, and an example elsewhere', () => {
  assert.is(baseUrlOfPage('http://127.0.0.1:8080/op/playground#1.abc'), 'http://127.0.0.1:8080/op')
  assert.is(baseUrlOfPage('https://id.example/playground'), 'https://id.example')
  assert.is(baseUrlOfPage('file:///home/me/playground'), 'https://op.example')
  assert.is(baseUrlOfPage('https://pages.example/index.html#/playground'), 'https://op.example')
})

ShareLink('a link cannot lead the command to another service without a word', () => {
  const page = 'https://id.example/op/playground#1.abc'
  assert.is(destinationOf('https://id.example/op/', page), 'here')
  for (const other of ['https://id.example', 'https://id.example.evil.example/op', 'http://id.example/op'])
    assert.is(destinationOf(other, page), 'elsewhere', other)
  assert.is(destinationOf('no URL', page), 'example')
  assert.is(destinationOf('https://any.example', 'file:///home/me/index.html'), 'here')
  const reported = (destination: 'here' | 'elsewhere') =>
    (sections(view(first), destination)['base-url-hint'] ?? []).map(textOf).join('')
  assert.match(reported('elsewhere'), 'Not the service that this page comes from')
  assert.is(reported('here'), 'Where the service is reached')
})

ShareLink('a base URL carries no user, query or fragment, and nothing that a shell or curl would read', () => {
  for (const text of [
    '',
    'op.example',
    'ftp://a.example',
    'https://a@b.example',
    'https://a.example?b',
    'https://a.example/#',
    'https://a.example/{a,b}',
    'https://a.example/a//b',
  ])
    assert.is(baseUrlIn(text), undefined, text)
  assert.is(baseUrlIn('HTTPS://A.example:443/op/'), 'https://a.example/op')
})

ShareLink.run()
