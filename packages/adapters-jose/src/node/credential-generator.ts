import {
  type ClientId as ClientIdType,
  type CredentialGenerator,
  type RegistrationAccessToken,
  type RegistrationId as RegistrationIdType,
  type TokenHash,
  ClientId,
  RegistrationId,
  epochSeconds,
} from '@clientele/domain'
import { randomAlphanumeric } from './random-alphanumeric.js'

export type GeneratedLengths = {
  readonly clientId: number
  readonly clientSecret: number
  readonly registrationAccessToken: number
}

/** The maximum length of a preset secret; later secrets are as long as the first one. */
const maxSecret = 256

/** The length of cookies and identifiers: 256 bits over 62 characters. */
const nameLength = 43

/** Characters of a registration_id: 128 bits and more. */
const registrationIdLength = 22

const asClientId = (id: string): ClientIdType => {
  if (!ClientId.is(id)) throw new Error('an alphanumeric string must be a ClientId')
  return id
}

const asRegistrationId = (id: string): RegistrationIdType => {
  if (!RegistrationId.is(id)) throw new Error('an alphanumeric string must be a RegistrationId')
  return id
}

/**
 * The system clock, and values from the system's secure random source. A client_id begins with characters by which the
 * store finds the registration access token.
 */
export const createCredentialGenerator = (
  lengths: GeneratedLengths,
  hash: (token: string) => TokenHash,
  clientIdBeginning: (token: TokenHash) => string,
): CredentialGenerator => {
  const now = () => epochSeconds(Date.now())
  const hashed = (token: string): RegistrationAccessToken => ({ token, hash: hash(token) })
  return {
    now,
    issue: () => {
      const registration_access_token = hashed(randomAlphanumeric(lengths.registrationAccessToken))
      const beginning = clientIdBeginning(registration_access_token.hash)
      return {
        at: now(),
        client_id: asClientId(beginning + randomAlphanumeric(lengths.clientId - beginning.length)),
        registration_id: asRegistrationId(randomAlphanumeric(registrationIdLength)),
        client_secret: randomAlphanumeric(lengths.clientSecret),
        client_secret_padding: randomAlphanumeric(maxSecret - lengths.clientSecret),
        registration_access_token,
      }
    },
    initialAccessToken: () => hashed(randomAlphanumeric(lengths.registrationAccessToken)),
    cookie: () => hashed(randomAlphanumeric(nameLength)),
    identifier: () => randomAlphanumeric(nameLength),
  }
}
