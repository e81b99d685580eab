import * as E from 'fp-ts/lib/Either.js'
import type { Parse } from './setting.js'
import { list } from './values.js'

export type MasterToken =
  { readonly kind: 'token'; readonly token: string } | { readonly kind: 'sha256'; readonly digest: Buffer }

// RFC 6750 §2.1: b64token, so that requests can present it
export const masterToken: Parse<MasterToken> = (text) =>
  /^[A-Za-z0-9._~+/-]{32,1024}=*$/.test(text)
    ? E.right({ kind: 'token', token: text })
    : E.left('at least 32 characters of A-Z a-z 0-9 - . _ ~ + /')

/** RFC 6750 §2.1 */
export const bearerToken: Parse<string> = (text) =>
  /^[A-Za-z0-9._~+/-]{16,1024}=*$/.test(text)
    ? E.right(text)
    : E.left('a token of 16 characters or more, of A-Z a-z 0-9 - . _ ~ + /')

export const masterTokenDigest: Parse<MasterToken> = (text) =>
  /^[0-9a-f]{64}$/i.test(text)
    ? E.right({ kind: 'sha256', digest: Buffer.from(text, 'hex') })
    : E.left('the SHA-256 of the master token: 64 hexadecimal digits')

const encryptionKeyRule = '32 bytes in base64url (43 characters); several are separated by commas'

const encryptionKey: Parse<Buffer> = (text) => {
  const key = Buffer.from(text, 'base64url')
  return key.length === 32 && key.toString('base64url') === text ? E.right(key) : E.left(encryptionKeyRule)
}

/** The first key seals, all decrypt. */
export const encryptionKeys: Parse<ReadonlyArray<Buffer>> = (text) => {
  const keys = list(/[\s,]+/, encryptionKey)(text)
  return E.isRight(keys) && keys.right.length === 0 ? E.left(encryptionKeyRule) : keys
}
