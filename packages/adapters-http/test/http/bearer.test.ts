import { invalidRequest } from '@clientele/domain/kernel'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Query, type RequestBody, presentedCredential } from '../../src/http/request.js'
import { hashToken, master } from '../support/in-memory-ports.js'

const bearer = suite('presentedCredential')

const ofMaster = { kind: 'master', hash: hashToken(master) }
const credentialOf = presentedCredential({ masterToken: hashToken(master), hashToken })
const ofHeader = (...authorization: ReadonlyArray<string>) => credentialOf(authorization, {}, E.right(undefined))

type Sent = { readonly token?: string; readonly query?: Query; readonly body?: RequestBody }

const sent = ({ token, query = {}, body = E.right(undefined) }: Sent) =>
  credentialOf(token === undefined ? [] : [`Bearer ${token}`], query, body)

bearer('a request without Authorization presents nothing', () => {
  assert.equal(ofHeader(), { kind: 'none' })
})

bearer('the scheme is case-insensitive and one or more spaces follow it (RFC 9110 §11.4)', () => {
  for (const scheme of ['Bearer ', 'bearer ', 'BEARER ', 'bEaReR   '])
    assert.equal(ofHeader(`${scheme}abc`), { kind: 'token', hash: hashToken('abc') }, scheme)
})

bearer('the master token is recognized by its hash, and nothing near it', () => {
  assert.equal(ofHeader(`Bearer ${master}`), ofMaster)
  for (const near of [master.slice(0, -1), `${master}x`, master.toUpperCase()])
    assert.equal(ofHeader(`Bearer ${near}`), { kind: 'token', hash: hashToken(near) })
})

const malformed = [
  '',
  ' ',
  'Bearer',
  'Bearer ',
  'Bearer\tabc',
  'Bearer  a b',
  'Bearer a,b',
  'Bearer a, Bearer b',
  'Bearer "abc"',
  'Bearer =',
  'Bearer a=b',
  'Bearer é',
  'Bearer a%00',
  'Bearer a\u0000',
  'Bearer token="abc"',
  'Bearerabc',
  ' Bearer abc',
  'abc',
  `Basic ${Buffer.from(`x:${master}`).toString('base64')}`,
  `Basic ${master}`,
  `Token ${master}`,
  `DPoP ${master}`,
]

bearer('another scheme, and what is not a b64token, is unusable (RFC 6750 §2.1)', () => {
  for (const header of malformed) assert.equal(ofHeader(header), { kind: 'unusable' }, JSON.stringify(header))
})

bearer('every byte that b64token does not have is unusable', () => {
  for (let code = 0x21; code <= 0xff; code += 1) {
    const character = String.fromCharCode(code)
    const expected = /[A-Za-z0-9\-._~+/]/.test(character) ? 'token' : 'unusable'
    assert.is(ofHeader(`Bearer a${character}b`).kind, expected, `0x${code.toString(16)}`)
  }
})

bearer('a header of more than 4096 characters is unusable', () => {
  assert.is(ofHeader(`Bearer ${'a'.repeat(4089)}`).kind, 'token')
  assert.is(ofHeader(`Bearer ${'a'.repeat(4090)}`).kind, 'unusable')
})

bearer('more than one Authorization header is unusable, whichever is good and even if both are', () => {
  for (const headers of [
    [`Bearer ${master}`, 'junk'],
    ['junk', `Bearer ${master}`],
    [`Bearer ${master}`, `Bearer ${master}`],
  ])
    assert.equal(ofHeader(...headers), { kind: 'unusable' })
})

bearer('a token in the query is unusable, alone or beside a header (RFC 6750 §2)', () => {
  const query = { access_token: [master] }
  assert.equal(sent({ query }), { kind: 'unusable' })
  assert.equal(sent({ query, token: master }), { kind: 'unusable' })
})

bearer('a token in the body is unusable, alone or beside a header (RFC 6750 §2)', () => {
  for (const access_token of [master, '', null, 1]) {
    assert.equal(sent({ body: E.right({ access_token }) }), { kind: 'unusable' })
    assert.equal(sent({ body: E.right({ access_token }), token: master }), { kind: 'unusable' })
  }
})

bearer('an access_token deeper in the body, and a body that cannot be read, are nothing to the credential', () => {
  assert.equal(sent({ body: E.right({ data: { access_token: 'x' } }), token: master }), ofMaster)
  for (const json of [undefined, null, 'access_token', 1, ['access_token']])
    assert.equal(sent({ body: E.right(json), token: master }), ofMaster)
  assert.equal(sent({ token: master, body: E.left(invalidRequest('no')) }), ofMaster)
})

bearer('no header whatever makes the master credential but the master token itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (header) => {
      assert.is.not(ofHeader(header).kind, 'master')
      assert.is.not(ofHeader(`Bearer ${header}`).kind, 'master')
    }),
  )
})

bearer.run()
