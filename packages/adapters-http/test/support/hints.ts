// ID token hints, genuine and forged.
import * as T from 'fp-ts/lib/Task.js'
import type { ForeignKey, GeneratedKey, KeyRing } from '@clientele/domain/keys'
import type { HintFault, SignedHint } from '@clientele/domain/logout'
import * as E from 'fp-ts/lib/Either.js'
import { type CompactJWSHeaderParameters, CompactEncrypt, CompactSign, importJWK } from 'jose'
import {
  type KeyObject,
  constants,
  createCipheriv,
  createPrivateKey,
  createPublicKey,
  publicEncrypt,
  randomBytes,
  sign,
} from 'node:crypto'
import * as assert from 'uvu/assert'
import { createIdTokenHints } from '@clientele/adapters-jose'
import { verifyByNode } from '@clientele/adapters-jose/node'
import { keySource, privateJwk } from './keys.js'

/** Expired long ago, which is not judged here. */
export const claims = {
  iss: 'https://op.example',
  sub: 'Zoë 🦊',
  aud: 'client',
  sid: 'session',
  iat: 1_000_000_000,
  exp: 1_000_000_060,
}

export type Payload = string | Uint8Array

export const bytesOf = (payload: Payload): Uint8Array => (typeof payload === 'string' ? Buffer.from(payload) : payload)
export const base64url = (payload: Payload): string => Buffer.from(payload).toString('base64url')

/** A JWS made by jose. */
export const signedWith = async (
  key: GeneratedKey,
  header: CompactJWSHeaderParameters,
  payload: Payload = JSON.stringify(claims),
): Promise<string> =>
  new CompactSign(bytesOf(payload))
    .setProtectedHeader({ kid: key.kid, typ: 'JWT', ...header })
    .sign(await importJWK(privateJwk(key), header.alg))

export const privateObject = (key: GeneratedKey): KeyObject => createPrivateKey({ key: privateJwk(key), format: 'jwk' })
export const publicObject = ({ jwk }: GeneratedKey): KeyObject => createPublicKey({ key: { ...jwk }, format: 'jwk' })

/** A JWS by an Ed25519 key with any bytes in header and payload. */
export const signedText = (key: GeneratedKey, header: Payload, payload: Payload = JSON.stringify(claims)): string => {
  const input = `${base64url(header)}.${base64url(payload)}`
  return `${input}.${base64url(sign(null, Buffer.from(input), privateObject(key)))}`
}

type Sealing = { readonly alg?: string; readonly enc?: string; readonly kid?: string | null }

/** A JWE made by jose; a kid of null is left out. */
export const sealedTo = async (key: GeneratedKey, plaintext: Payload, sealing: Sealing = {}): Promise<string> => {
  const { alg = 'RSA-OAEP-256', enc = 'A256GCM', kid = key.kid } = sealing
  return new CompactEncrypt(bytesOf(plaintext))
    .setProtectedHeader({ alg, enc, ...(kid === null ? {} : { kid, cty: 'JWT' }) })
    .encrypt(await importJWK({ ...key.jwk }, alg))
}

const wrapped = (key: GeneratedKey, alg: string, cek: Uint8Array): Uint8Array => {
  const padding = alg === 'RSA1_5' ? constants.RSA_PKCS1_PADDING : constants.RSA_PKCS1_OAEP_PADDING
  const options = { key: publicObject(key), padding, oaepHash: alg === 'RSA-OAEP' ? 'sha1' : 'sha256' }
  return publicEncrypt(options, cek)
}

/** A JWE by A256GCM that is valid except for its header, which jose would not make. */
export const sealedText = (
  key: GeneratedKey,
  header: Readonly<Record<string, unknown>>,
  plaintext: Payload,
): string => {
  const cek = randomBytes(32)
  const iv = randomBytes(12)
  const protectedHeader = base64url(JSON.stringify(header))
  const cipher = createCipheriv('aes-256-gcm', cek, iv).setAAD(Buffer.from(protectedHeader))
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
  const encryptedKey = wrapped(key, String(header['alg']), cek)
  return [protectedHeader, ...[encryptedKey, iv, ciphertext, cipher.getAuthTag()].map(base64url)].join('.')
}

export type Read = (hint: string) => Promise<E.Either<HintFault, SignedHint>>

/** By jose and by Node, which must agree about every hint. */
export const reading = (rings: ReadonlyArray<KeyRing>, foreign: ReadonlyArray<ForeignKey> = []): Read => {
  const source = keySource(
    () => rings,
    () => foreign,
  )
  const byJose = createIdTokenHints(source)
  const byNode = createIdTokenHints(source, verifyByNode())
  return async (hint) => {
    const read = await byJose.readIdTokenHint(hint, () => T.of([]))()
    assert.equal(await byNode.readIdTokenHint(hint, () => T.of([]))(), read)
    return read
  }
}

/** The hint is accepted with these claims. */
export const reads = async (read: Read, hint: string, expected: unknown = claims, name?: string): Promise<void> => {
  const result = await read(hint)
  assert.equal(E.isRight(result) ? result.right.claims : result.left, expected, name)
}

/** The hint is refused for exactly this reason. */
export const refuses = async (read: Read, hint: string, fault: HintFault, name?: string): Promise<void> =>
  assert.equal(await read(hint), E.left(fault), name)

/** The run takes less than that, in milliseconds. */
export const withTimeout = async (most: number, run: () => Promise<void>): Promise<void> => {
  const began = performance.now()
  await run()
  assert.ok(performance.now() - began < most, `took longer than ${most} ms`)
}
