import type { KeyObject } from 'node:crypto'
import { createCipheriv, createDecipheriv, createHash, createSecretKey } from 'node:crypto'
import type { Sealing } from '@clientele/adapters-sqlite'
import * as O from 'fp-ts/lib/Option.js'
import { randomOctets } from './random-pool.js'

type Key = {
  readonly key: KeyObject
  readonly fingerprint: string
  /** What the associated data of all that it seals begins with. */
  readonly prefix: string
}

const version = 'v1'
const nonceLength = 12
const tagLength = 16

const withFingerprint = (key: Buffer): Key => {
  const digest = createHash('sha256').update('clientele encryption key').update(key).digest('base64url')
  const fingerprint = digest.slice(0, 12)
  return { key: createSecretKey(key), fingerprint, prefix: `["${version}","${fingerprint}",` }
}

// As JSON, so that no two contexts are the same data.
const associatedData = ({ prefix }: Key, context: string): Buffer => Buffer.from(`${prefix}${JSON.stringify(context)}]`)

const seal = (key: Key, plain: string, context: string): string => {
  const nonce = randomOctets(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', key.key, nonce).setAAD(associatedData(key, context))
  const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${version}.${key.fingerprint}.${sealed.toString('base64url')}`
}

const decrypt = (key: Key, sealed: Buffer, context: string): string => {
  const decipher = createDecipheriv('aes-256-gcm', key.key, sealed.subarray(0, nonceLength), {
    authTagLength: tagLength,
  })
  decipher.setAAD(associatedData(key, context)).setAuthTag(sealed.subarray(-tagLength))
  // GCM is a stream: all is there before the end, which only tells whether it is what was sealed.
  const plain = decipher.update(sealed.subarray(nonceLength, -tagLength))
  decipher.final()
  return plain.toString('utf8')
}

const open = (keys: ReadonlyArray<Key>, text: string, context: string): O.Option<string> => {
  const [written, fingerprint, payload, ...rest] = text.split('.')
  const key = keys.find((each) => each.fingerprint === fingerprint)
  const sealed = Buffer.from(payload ?? '', 'base64url')
  if (key === undefined || written !== version || rest.length > 0) return O.none
  if (sealed.length < nonceLength + tagLength || sealed.toString('base64url') !== payload) return O.none
  return O.tryCatch(() => decrypt(key, sealed, context))
}

/** AES-256-GCM with keys of 32 bytes: the first seals, all open. */
export const createSealing = (first: Buffer, others: ReadonlyArray<Buffer>): Sealing => {
  const sealingKey = withFingerprint(first)
  const openingKeys = [sealingKey, ...others.map(withFingerprint)]
  return {
    seal: (plain, context) => seal(sealingKey, plain, context),
    open: (sealed, context) => open(openingKeys, sealed, context),
  }
}
