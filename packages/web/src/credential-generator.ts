import {
  type CredentialGenerator,
  type TokenHash as Hash,
  ClientId,
  RegistrationId,
  TokenHash,
  epochSeconds,
} from '@clientele/domain'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, randomBytes } from '@noble/hashes/utils.js'
import { base64url, utf8 } from '@clientele/adapters-jose'

const of = <A>(codec: { readonly name: string; readonly is: (value: unknown) => value is A }, text: string): A => {
  if (!codec.is(text)) throw new Error(`hexadecimal digits, and a digest, must be a ${codec.name}`)
  return text
}

/** The SHA-256 of a token, which nobody could guess; no key is needed where no database can be copied. */
export const hashToken = (token: string): Hash => of(TokenHash, base64url(sha256(utf8(token))))

// Of 256 bits, like the digest that it is known by.
const token = (): { readonly token: string; readonly hash: Hash } => {
  const made = bytesToHex(randomBytes(32))
  return { token: made, hash: hashToken(made) }
}

const now: CredentialGenerator['now'] = () => epochSeconds(Date.now())

/** The wall clock, and values of the platform's secure random source, in hexadecimal digits. */
export const webCredentialGenerator: CredentialGenerator = {
  now,
  issue: () => ({
    at: now(),
    client_id: of(ClientId, bytesToHex(randomBytes(16))),
    registration_id: of(RegistrationId, bytesToHex(randomBytes(16))),
    client_secret: bytesToHex(randomBytes(32)),
    client_secret_padding: bytesToHex(randomBytes(96)),
    registration_access_token: token(),
  }),
  initialAccessToken: token,
  cookie: token,
  identifier: () => bytesToHex(randomBytes(32)),
}
