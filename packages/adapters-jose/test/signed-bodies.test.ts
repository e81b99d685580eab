import { createHmac } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import { type CryptoKey, SignJWT, exportJWK, generateKeyPair } from 'jose'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createSignedBodies } from '../src/tokens-of-others.js'

const bodies = suite('registration requests that are signed as a whole')

const { openSignedBody, verifySignedBody } = createSignedBodies()
const [own, other] = await Promise.all([generateKeyPair('PS256'), generateKeyPair('PS256')])
const jwk = { ...(await exportJWK(own.publicKey)), kid: 'k' }
const keySet = { keys: [jwk] }
const sign = (key: CryptoKey, header: object = {}): Promise<string> =>
  new SignJWT({ iss: 'soft1' }).setProtectedHeader({ alg: 'PS256', kid: 'k', ...header }).sign(key)
const verify = (jwt: string, keys: unknown = keySet) => verifySignedBody(jwt, keys, ['PS256'])()
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

bodies('the header and the claims of a JWT are read, and nothing else', async () => {
  assert.equal(
    openSignedBody(await sign(own.privateKey)),
    E.right({ header: { alg: 'PS256', kid: 'k' }, claims: { iss: 'soft1' } }),
  )
  const repeated = Buffer.from('{"iss":"a","iss":"b"}').toString('base64url')
  for (const text of [
    '',
    'a',
    'a.b',
    '..',
    `${part({})}.${repeated}.`,
    `${part({})}.${part({})}.a.b`,
    `${part({})}.${part([])}.`,
  ])
    assert.equal(openSignedBody(text), E.left('signed-body'), text)
})

bodies('a key of the set verifies', async () => {
  assert.is(await verify(await sign(own.privateKey)), true)
})

bodies('no other key verifies, and no key of the header does', async () => {
  assert.is(await verify(await sign(other.privateKey)), false)
  const embedded = await exportJWK(other.publicKey)
  assert.is(await verify(await sign(other.privateKey, { jwk: embedded })), false)
  assert.is(await verify(await sign(own.privateKey, { kid: 'unknown' })), false)
})

bodies('no signature, and no secret made of the public key, passes (RFC 8725 §2.1)', async () => {
  assert.is(await verify(`${part({ alg: 'none', kid: 'k' })}.${part({ iss: 'soft1' })}.`), false)
  const signed = `${part({ alg: 'HS256', kid: 'k' })}.${part({ iss: 'soft1' })}`
  const mac = createHmac('sha256', JSON.stringify(jwk)).update(signed).digest('base64url')
  assert.is(await verify(`${signed}.${mac}`), false)
})

bodies('a critical extension, and what is no key set, is refused without an exception', async () => {
  const jwt = await sign(own.privateKey)
  for (const keys of [null, 1, {}, { keys: 1 }, { keys: [1] }, { keys: [{ kty: 'oct', k: 'AA', kid: 'k' }] }])
    assert.is(await verify(jwt, keys), false)
  const [, payload = '', signature = ''] = jwt.split('.')
  assert.is(await verify(`${part({ alg: 'PS256', kid: 'k', crit: ['x'], x: 1 })}.${payload}.${signature}`), false)
})

bodies.run()
