import { type TokenHash as Hash, TokenHash } from '@clientele/domain/authorization'
import { ClientId, RegistrationId } from '@clientele/domain/client'
import { epochSeconds } from '@clientele/domain/kernel'
import type { CredentialGenerator } from '@clientele/domain/ports'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64url } from '@clientele/adapters-jose'

const of = <A>(codec: { readonly name: string; readonly is: (value: unknown) => value is A }, text: string): A => {
  if (!codec.is(text)) throw new Error(`hexadecimal digits, and a digest, must be a ${codec.name}`)
  return text
}

/** The SHA-256 of a token, which is unguessable; a digest key is only needed where a database could be copied. */
export const hashToken = (token: string): Hash => of(TokenHash, base64url.encode(sha256(utf8ToBytes(token))))

// 256 random bits, as many as its digest has.
const token = (): { readonly token: string; readonly hash: Hash } => {
  const made = bytesToHex(randomBytes(32))
  return { token: made, hash: hashToken(made) }
}

const now: CredentialGenerator['now'] = () => epochSeconds(Date.now())

/** The system clock, and values of the platform's secure random source, in hexadecimal digits. */
export const webCredentialGenerator: CredentialGenerator = {
  now,
  issue: () => ({
    at: now(),
    client_id: of(ClientId, bytesToHex(randomBytes(16))),
    registration_id: of(RegistrationId, bytesToHex(randomBytes(16))),
    client_secret: bytesToHex(randomBytes(32)),
    // The secret is as long as any algorithm needs.
    client_secret_padding: '',
    registration_access_token: token(),
  }),
  initialAccessToken: token,
  cookie: token,
  identifier: () => bytesToHex(randomBytes(32)),
}
