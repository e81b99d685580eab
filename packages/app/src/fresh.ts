import type { ClientId as ClientIdType, Fresh, RegistrationAccessToken, TokenHash } from '@clientele/domain'
import { ClientId, epochSeconds } from '@clientele/domain'
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

const freshClientId = (length: number): ClientIdType => {
  const id = randomAlphanumeric(length)
  if (!ClientId.is(id)) throw new Error('an alphanumeric string must be a ClientId')
  return id
}

/** The wall clock, and values from the system's secure random source. */
export const createFresh = (lengths: FreshLengths, hash: (token: string) => TokenHash): Fresh => {
  const now = () => epochSeconds(Date.now())
  const tokenOf = (length: number): RegistrationAccessToken => {
    const token = randomAlphanumeric(length)
    return { token, hash: hash(token) }
  }
  const freshToken = (): RegistrationAccessToken => tokenOf(lengths.registrationAccessToken)
  return {
    now,
    issue: () => ({
      at: now(),
      client_id: freshClientId(lengths.clientId),
      client_secret: randomAlphanumeric(lengths.clientSecret),
      client_secret_rest: randomAlphanumeric(longestSecret - lengths.clientSecret),
      registration_access_token: freshToken(),
    }),
    initialAccessToken: freshToken,
    cookie: () => tokenOf(nameLength),
    identifier: () => randomAlphanumeric(nameLength),
  }
}
