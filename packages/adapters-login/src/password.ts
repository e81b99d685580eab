import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import * as t from 'io-ts'

/** RFC 7914: N = 2^15, r = 8, p = 1, which take 32 MiB of memory for each check. */
const kdf = 'scrypt-n15-r8-p1'
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 }
const saltLength = 16
const hashLength = 32

const isBase64urlOf = (length: number) => (text: string) => {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.length === length && bytes.toString('base64url') === text
}

export const PasswordRecord = t.readonly(
  t.exact(
    t.type({
      kdf: t.literal(kdf),
      salt: t.refinement(t.string, isBase64urlOf(saltLength)),
      hash: t.refinement(t.string, isBase64urlOf(hashLength)),
    }),
  ),
  'PasswordRecord',
)
export interface PasswordRecord extends t.TypeOf<typeof PasswordRecord> {}

/** In characters; a longer password would only delay the check. */
export const maxPassword = 1_024

// RFC 8265 §4.2: keyboards compose letters in different ways
const derive = (password: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, hashLength, cost, (error, key) =>
      error === null ? resolve(key) : reject(error),
    )
  })

export const recordPassword = async (password: string): Promise<PasswordRecord> => {
  const salt = randomBytes(saltLength)
  const hash = await derive(password, salt)
  return { kdf, salt: salt.toString('base64url'), hash: hash.toString('base64url') }
}

const noRecord: PasswordRecord = {
  kdf,
  salt: Buffer.alloc(saltLength).toString('base64url'),
  hash: Buffer.alloc(hashLength).toString('base64url'),
}

/** Whether the password is that of the record. Without a record it takes as long, and is false. */
export const isPasswordOf = async (password: string, record: PasswordRecord | undefined): Promise<boolean> => {
  const { salt, hash } = record ?? noRecord
  const derived = await derive(password.slice(0, maxPassword), Buffer.from(salt, 'base64url'))
  return timingSafeEqual(derived, Buffer.from(hash, 'base64url')) && record !== undefined
}
