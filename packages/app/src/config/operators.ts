// The credentials of operators, and the keys by which the database keeps secrets.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type Parse, baseUrl, list, matching, optional } from './values.js'

export type MasterToken =
  { readonly kind: 'token'; readonly token: string } | { readonly kind: 'sha256'; readonly digest: Buffer }

// RFC 6750 §2.1: b64token, so that requests can present it
export const masterToken: Parse<MasterToken> = (text) =>
  /^[A-Za-z0-9._~+/-]{32,1024}=*$/.test(text)
    ? E.right({ kind: 'token', token: text })
    : E.left('at least 32 characters of A-Z a-z 0-9 - . _ ~ + /')

/** RFC 6750 §2.1 */
const bearerToken = matching('a token of 16 characters or more, of A-Z a-z 0-9 - . _ ~ + /', (text) =>
  /^[A-Za-z0-9._~+/-]{16,1024}=*$/.test(text),
)

const masterTokenDigest: Parse<MasterToken> = (text) =>
  /^[0-9a-f]{64}$/i.test(text)
    ? E.right({ kind: 'sha256', digest: Buffer.from(text, 'hex') })
    : E.left('the SHA-256 of the master token: 64 hexadecimal digits')

const encryptionKeyRule = '32 bytes in base64url (43 characters); several are separated by commas'

const encryptionKey: Parse<Buffer> = (text) => {
  const key = Buffer.from(text, 'base64url')
  return key.length === 32 && key.toString('base64url') === text ? E.right(key) : E.left(encryptionKeyRule)
}

/** The first key seals, all decrypt. */
export type EncryptionKeys = readonly [Buffer, ...ReadonlyArray<Buffer>]

export const encryptionKeys: Parse<EncryptionKeys> = (text) =>
  pipe(
    text,
    list(/[\s,]+/, encryptionKey),
    E.flatMap(([first, ...others]) =>
      first === undefined ? E.left(encryptionKeyRule) : E.right([first, ...others] as const),
    ),
  )

export const operatorSection = {
  'master-token': optional(
    'The token of the operator, which permits everything. The form …-sha256 is its SHA-256 in hexadecimal',
    {
      values: 'at least 32 characters',
      fallbackText: 'generated at the first start',
      secret: true,
      parse: masterToken,
      forms: { '-sha256': masterTokenDigest },
    },
  ),
  'previous-master-token': optional(
    'A second token of the operator, which counts as well while the operator changes the master token. The form …-sha256 is its SHA-256 in hexadecimal',
    {
      values: 'at least 32 characters',
      fallbackText: 'the contents of previous-master-token in data-dir, if it is there',
      secret: true,
      parse: masterToken,
      forms: { '-sha256': masterTokenDigest },
    },
  ),
  'operator-token': optional(
    'For commands: an operator token or the master token, with whose privileges they act. Without it, commands on the machine of the service have all privileges',
    { values: 'a token', secret: true, parse: bearerToken },
  ),
  server: optional(
    'For commands: the base URL of the service to which they send their requests, or the URL of its management port, in place of the service on this machine; needs operator-token',
    { values: 'URL, as base-url', fallbackText: 'the service of data-dir', parse: baseUrl },
  ),
  'encryption-key': optional(
    'The key that seals (encrypts) the secret values in the database. If there are several keys, separated by commas, the service seals with the first one, and opens with all of them',
    {
      values: '32 bytes, base64url',
      fallbackText: 'generated at the first start',
      secret: true,
      parse: encryptionKeys,
    },
  ),
} as const
