// Generated credentials, and the digests by which tokens are found.
import { type HashText, TokenHash } from '@clientele/domain/authorization'
import { ClientId, RegistrationId, isNewClientId } from '@clientele/domain/client'
import { type EpochSeconds, epochSeconds } from '@clientele/domain/kernel'
import type { CredentialGenerator } from '@clientele/domain/ports'
import type { RegistrationAccessToken } from '@clientele/domain/registration'
import * as t from 'io-ts'
import { customAlphabet } from 'nanoid'
import { createHmac, createSecretKey, hash as digestOf } from 'node:crypto'

/** The hash of a token by its SHA-256. */
export const hashOfSha256 = (digestKey: string): ((digest: Buffer) => TokenHash) => {
  const key = createSecretKey(digestKey, 'utf8')
  return (digest) => {
    const hash = createHmac('sha256', key).update(digest).digest('base64url')
    if (!TokenHash.is(hash)) throw new Error('an HMAC-SHA256 in base64url must be a TokenHash')
    return hash
  }
}

/** HMAC-SHA256 over the SHA-256 of the token, with the key of the store. */
export const hashToken = (digestKey: string): HashText => {
  const hashOf = hashOfSha256(digestKey)
  return (token) => hashOf(digestOf('sha256', token, 'buffer'))
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

// nanoid draws 128 such steps at once, and WebCrypto returns 65,536 octets at most: longer values take several steps.
const step = 43

/** Uniform over A-Z a-z 0-9: nanoid rejects octets that would bias the result. */
export const randomAlphanumeric: (length: number) => string = customAlphabet(alphabet, step)

export type GeneratedLengths = {
  readonly clientId: number
  readonly clientSecret: number
  readonly registrationAccessToken: number
}

/** The length of a secret that every algorithm accepts: HS512 needs 64 octets (RFC 7518 §3.2). */
const sufficientSecret = 64

/** The length of cookies and identifiers: 256 bits over 62 characters. */
const nameLength = 43

/** The length of a registration_id: 131 bits over 62 characters. */
const registrationIdLength = 22

const Identifiers = t.type({ client_id: ClientId, registration_id: RegistrationId })

const asIdentifiers = (made: t.OutputOf<typeof Identifiers>): t.TypeOf<typeof Identifiers> => {
  if (!Identifiers.is(made) || !isNewClientId(made.client_id))
    throw new Error('alphanumeric strings must be identifiers')
  return made
}

const systemClock = (): EpochSeconds => epochSeconds(Date.now())

/** A clock, that of the system by default, and values from the system's secure random source. */
export const createCredentialGenerator = (
  lengths: GeneratedLengths,
  hash: HashText,
  now: () => EpochSeconds = systemClock,
): CredentialGenerator => {
  const hashed = (token: string): RegistrationAccessToken => ({ token, hash: hash(token) })
  return {
    now,
    issue: () => {
      const registration_access_token = hashed(randomAlphanumeric(lengths.registrationAccessToken))
      const { client_id, registration_id } = asIdentifiers({
        client_id: randomAlphanumeric(lengths.clientId),
        registration_id: randomAlphanumeric(registrationIdLength),
      })
      return {
        client_id,
        registration_id,
        at: now(),
        client_secret: randomAlphanumeric(lengths.clientSecret),
        client_secret_padding: randomAlphanumeric(Math.max(0, sufficientSecret - lengths.clientSecret)),
        registration_access_token,
      }
    },
    initialAccessToken: () => hashed(randomAlphanumeric(lengths.registrationAccessToken)),
    cookie: () => hashed(randomAlphanumeric(nameLength)),
    identifier: () => randomAlphanumeric(nameLength),
  }
}
