import { ownTokenTypes } from '@clientele/domain/keys'
import { compactVerify, decodeProtectedHeader, importJWK } from 'jose'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { reading, reads, refuses, sealedTo, signedWith } from '../support/hints.js'
import { postDecrypt, postSign } from '../support/handlers.js'
import { asking, membersOf } from '../support/http-request.js'
import { at, createWorld, httpSettings, master } from '../support/in-memory-ports.js'
import { keyFor, ringWith } from '../support/keys.js'

const use = suite('what a provider in another process asks of the keys')

const key = await keyFor('ES256')
const encryption = await keyFor('RSA-OAEP-256')
const rings = [ringWith('ES256', key), ringWith('RSA-OAEP-256', encryption, 'enc')]
const world = createWorld({ keyRings: () => rings })
const sign = (json: unknown) => asking(postSign, world)({ token: master, json })
const decrypt = (json: unknown) => asking(postDecrypt, world)({ token: master, json })

const wanted = { alg: 'ES256', typ: 'at+jwt', claims: { sub: 'alice', client_id: 'a' }, expires_at: at + 60 }

use('a token is signed by the key that signs now, with iss, iat and exp of the service', async () => {
  const answer = await sign(wanted)
  assert.is(answer.status, 200)
  const token = String(membersOf(answer)['token'])
  const { payload } = await compactVerify(token, await importJWK({ ...key.jwk }, 'ES256'))
  const { issuer } = httpSettings().registration
  assert.equal(JSON.parse(new TextDecoder().decode(payload)), { ...wanted.claims, iss: issuer, iat: at, exp: at + 60 })
  assert.equal(decodeProtectedHeader(token), { alg: 'ES256', typ: 'at+jwt', kid: key.kid })
  assert.is((await sign({ ...wanted, kid: key.kid })).status, 200)
})

const unsigned: Readonly<Record<string, readonly [sent: unknown, status: number, reported: RegExp]>> = {
  'an algorithm without a ring': [{ ...wanted, alg: 'RS256' }, 400, /"unknown_algorithm".*"known":\["ES256"\]/],
  'another key': [{ ...wanted, kid: 'other' }, 404, /Another key signs now/],
  'a token that outlives its key': [{ ...wanted, expires_at: at + 10_000_000 }, 400, /at most \d+ seconds from now/],
  'claims of the service': [{ ...wanted, claims: { iss: 'https://evil.example' } }, 400, /leave out iss, iat and exp/],
  'claims that are no JSON object': [{ ...wanted, claims: ['sub'] }, 400, /object claims/],
  'no expiry': [{ ...wanted, expires_at: undefined }, 400, /expires_at/],
  'no body': [null, 400, /must be a JSON object/],
}

for (const [what, [sent, status, reported]] of Object.entries(unsigned))
  use(`${what} is refused, with the rule`, async () => {
    const answer = await sign(sent)
    assert.is(answer.status, status)
    assert.match(JSON.stringify(membersOf(answer)), reported)
  })

// RFC 7515 §4.1.9, RFC 9110 §8.3.1: each spelling of a media type.
const spellings: ReadonlyArray<(typ: string) => string> = [
  (typ) => typ,
  (typ) => typ.toUpperCase(),
  (typ) => `application/${typ}`,
  (typ) => `Application/${typ}; charset=utf-8`,
  (typ) => ` ${typ} `,
]

for (const own of Object.values(ownTokenTypes))
  use(`${own} is not signed for an operator, however it is spelt`, async () => {
    for (const typ of spellings.map((spell) => spell(own))) {
      const answer = await sign({ ...wanted, typ })
      assert.is(answer.status, 400, typ)
      assert.match(String(membersOf(answer)['error_description']), /^typ must be another one/)
    }
  })

use('what was encrypted to the published key is opened, and given back as it was', async () => {
  for (const text of ['{"client_id":"a"}', await signedWith(key, { alg: 'ES256' }), 'Zoë 🦊']) {
    const answer = await decrypt({ object: await sealedTo(encryption, text) })
    assert.equal([answer.status, membersOf(answer)], [200, { text }])
  }
})

use('what no key opens, or what is not encrypted, is refused with the reason', async () => {
  const other = await keyFor('RSA-OAEP-256', 1)
  const sealed = await sealedTo(encryption, 'text')
  for (const [object, reported] of [
    [await sealedTo(other, 'text'), /No key opens the object/],
    [await sealedTo(encryption, 'text', { alg: 'RSA-OAEP' }), /No key opens the object/],
    [
      sealed.replace(/\.(.)([^.]*)\.[^.]*$/, (tail, first: string) => tail.replace(first, first === 'A' ? 'B' : 'A')),
      /No key opens the object/,
    ],
    [await signedWith(key, { alg: 'ES256' }), /a JWS needs no decryption/],
    ['nonsense', /compact form/],
    [await sealedTo(encryption, new Uint8Array([0xff, 0xfe])), /UTF-8/],
    [7, /string object/],
    [undefined, /string object/],
  ] as const) {
    const answer = await decrypt({ object })
    assert.is(answer.status, 400)
    assert.match(String(membersOf(answer)['error_description']), reported)
  }
})

use(
  'an ID token of another signer counts as a hint as long as its key is published, by its own algorithm alone',
  async () => {
    const theirs = await keyFor('RS256', 1)
    const foreign = [{ kid: theirs.kid, alg: 'RS256', jwk: theirs.jwk, publishedAt: at }]
    const hint = await signedWith(theirs, { alg: 'RS256' })
    await reads(reading(rings, foreign), hint)
    await refuses(reading(rings), hint, 'hint_algorithm')
    await refuses(reading(rings, foreign), await signedWith(theirs, { alg: 'PS256' }), 'hint_algorithm')
    await refuses(
      reading(rings, foreign),
      await signedWith(await keyFor('RS256', 2), { alg: 'RS256', kid: theirs.kid }),
      'hint_bad_signature',
    )
  },
)

use.run()
