// Hints that a client_secret signed or encrypted: OpenID Core §10.
import type { UnverifiedHint } from '@clientele/domain/logout'
import * as E from 'fp-ts/lib/Either.js'
import * as T from 'fp-ts/lib/Task.js'
import { CompactEncrypt, SignJWT } from 'jose'
import { createHash } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createIdTokenHints } from '../src/id-token-hints.js'
import { claims, publicObject, sealedTo, signedWith } from '../../adapters-http/test/support/hints.js'
import { keyFor, keySource, ringWith } from '../../adapters-http/test/support/keys.js'

const bySecret = suite('ID token hints signed by a client_secret')

const rsa = await keyFor('RS256')
const encryption = await keyFor('RSA-OAEP-256')
const rings = [ringWith('RS256', rsa), ringWith('RSA-OAEP-256', encryption, 'enc')]
const { readIdTokenHint } = createIdTokenHints(keySource(() => rings))

const secret = 's'.repeat(64)
const hmac = (alg: string, key: string, kid?: string): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg, typ: 'JWT', ...(kid === undefined ? {} : { kid }) })
    .sign(new TextEncoder().encode(key))

const read = async (hint: string, ...secrets: ReadonlyArray<string>) => {
  const requested: Array<UnverifiedHint> = []
  const result = await readIdTokenHint(hint, (unverified) => {
    requested.push(unverified)
    return T.of(secrets.length === 0 ? [secret] : secrets)
  })()
  return { requested, reported: E.isRight(result) ? result.right.claims : result.left }
}

bySecret('the secret verifies it, and its algorithm and claims are what the secret is chosen by', async () => {
  for (const alg of ['HS256', 'HS384', 'HS512'])
    assert.equal(await read(await hmac(alg, secret)), { requested: [{ alg, claims }], reported: claims })
  const sealed = await sealedTo(encryption, await hmac('HS256', secret))
  assert.equal((await read(sealed)).reported, claims)
})

bySecret('another secret does not, nor does one where none counts', async () => {
  assert.is((await read(await hmac('HS256', secret), 'x'.repeat(64))).reported, 'hint_bad_signature')
  assert.equal(await readIdTokenHint(await hmac('HS256', secret), () => T.of([]))(), E.left('hint_algorithm'))
  const [head = '', , mac = ''] = (await hmac('HS256', secret)).split('.')
  const other = Buffer.from(JSON.stringify({ ...claims, sub: 'mallory' })).toString('base64url')
  assert.is((await read(`${head}.${other}.${mac}`)).reported, 'hint_bad_signature')
})

bySecret('a key of ours is never a secret, and a secret is never asked for where a key signs', async () => {
  const pem = publicObject(rsa).export({ type: 'spki', format: 'pem' }).toString()
  assert.is((await read(await hmac('HS256', pem, rsa.kid))).reported, 'hint_bad_signature')
  assert.equal(await read(await signedWith(rsa, { alg: 'RS256' })), { requested: [], reported: claims })
  const text = await hmac('HS256', secret)
  const asRsa = [
    Buffer.from(JSON.stringify({ alg: 'RS256', kid: rsa.kid })).toString('base64url'),
    ...text.split('.').slice(1),
  ]
  assert.equal(await read(asRsa.join('.')), { requested: [], reported: 'hint_bad_signature' })
})

// OpenID Core §10.2, RFC 7518 §4.4, §4.7, §5.1: the algorithm, the content encryption, and the octets of the hash that make the key.
const encryptions = [
  ['dir', 'A128GCM', 'sha256', 16],
  ['dir', 'A128CBC-HS256', 'sha256', 32],
  ['dir', 'A192CBC-HS384', 'sha384', 48],
  ['dir', 'A256CBC-HS512', 'sha512', 64],
  ['A128KW', 'A256GCM', 'sha256', 16],
  ['A192KW', 'A256CBC-HS512', 'sha256', 24],
  ['A256KW', 'A128GCM', 'sha256', 32],
  ['A256GCMKW', 'A256GCM', 'sha256', 32],
] as const

const encrypted = (
  text: string,
  [alg, enc, hash, length]: (typeof encryptions)[number],
  of = secret,
): Promise<string> =>
  new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg, enc, cty: 'JWT' })
    .encrypt(new Uint8Array(createHash(hash).update(of).digest().subarray(0, length)))

bySecret('a key that is derived from the secret decrypts it, whoever signed what is inside', async () => {
  for (const each of encryptions) {
    const hint = await encrypted(await signedWith(rsa, { alg: 'RS256' }), each)
    assert.equal(await read(hint), { requested: [{ alg: each[0], claims: {} }], reported: claims }, each.join(' '))
    assert.equal((await read(await encrypted(await hmac('HS256', secret), each))).reported, claims)
  }
})

bySecret(
  'what another secret encrypted, or none counts for, is not decrypted; what is inside is verified',
  async () => {
    for (const each of encryptions) {
      const inside = await signedWith(rsa, { alg: 'RS256' })
      assert.is((await read(await encrypted(inside, each, 'x'.repeat(64)))).reported, 'hint_undecryptable')
      const hint = await encrypted(inside, each)
      assert.equal(await readIdTokenHint(hint, () => T.of([]))(), E.left('hint_undecryptable'))
      assert.is((await read(await encrypted(`${inside.slice(0, -8)}AAAAAAAA`, each))).reported, 'hint_bad_signature')
      assert.is((await read(await encrypted(JSON.stringify(claims), each))).reported, 'hint_malformed')
    }
  },
)

bySecret('each of two secrets verifies what it signed, and decrypts what it encrypted', async () => {
  const newest = 'n'.repeat(64)
  const preceding = 'p'.repeat(64)
  for (const of of [newest, preceding]) {
    assert.equal((await read(await hmac('HS256', of), newest, preceding)).reported, claims)
    for (const each of encryptions)
      assert.equal(
        (await read(await encrypted(await hmac('HS256', newest), each, of), newest, preceding)).reported,
        claims,
      )
  }
  assert.is((await read(await hmac('HS256', secret), newest, preceding)).reported, 'hint_bad_signature')
})

bySecret.run()
