// Hints that a client_secret signed: OpenID Core §10.1.
import type { UnverifiedHint } from '@clientele/domain/logout'
import * as E from 'fp-ts/lib/Either.js'
import * as T from 'fp-ts/lib/Task.js'
import { SignJWT } from 'jose'
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

const read = async (hint: string, reported: string | undefined = secret) => {
  const requested: Array<UnverifiedHint> = []
  const result = await readIdTokenHint(hint, (unverified) => {
    requested.push(unverified)
    return T.of(reported)
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
  assert.equal(await readIdTokenHint(await hmac('HS256', secret), () => T.of(undefined))(), E.left('hint_algorithm'))
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

bySecret.run()
