import {
  type ClientId as ClientIdType,
  type Fresh,
  type RegistrationAccessToken,
  type TokenHash,
  ClientId,
  epochSeconds,
} from '@clientele/domain'
import { randomAlphanumeric } from './random-alphanumeric.js'

export type FreshLengths = {
  readonly clientId: number
  readonly clientSecret: number
  readonly registrationAccessToken: number
}

/** Of a preferred one, which the secrets after it are as long as. */
const longestSecret = 256

/** Characters of cookies and identifiers: 256 bits of 62 signs. */
const nameLength = 43

const asClientId = (id: string): ClientIdType => {
  if (!ClientId.is(id)) throw new Error('an alphanumeric string must be a ClientId')
  return id
}

/**
 * The wall clock, and values from the system's secure random source. A client_id begins with what the store finds its
 * registration access token by.
 */
export const createFresh = (
  lengths: FreshLengths,
  hash: (token: string) => TokenHash,
  clientIdBeginning: (token: TokenHash) => string,
): Fresh => {
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
        client_secret: randomAlphanumeric(lengths.clientSecret),
        client_secret_rest: randomAlphanumeric(longestSecret - lengths.clientSecret),
        registration_access_token,
      }
    },
    initialAccessToken: () => hashed(randomAlphanumeric(lengths.registrationAccessToken)),
    cookie: () => hashed(randomAlphanumeric(nameLength)),
    identifier: () => randomAlphanumeric(nameLength),
  }
}
