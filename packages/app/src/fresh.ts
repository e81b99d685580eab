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

const freshClientId = (length: number): ClientIdType => {
  const id = randomAlphanumeric(length)
  if (!ClientId.is(id)) throw new Error('an alphanumeric string must be a ClientId')
  return id
}

/** The wall clock, and values from the system's secure random source. */
export const createFresh = (lengths: FreshLengths, hash: (token: string) => TokenHash): Fresh => {
  const now = () => epochSeconds(Date.now())
  const freshToken = (): RegistrationAccessToken => {
    const token = randomAlphanumeric(lengths.registrationAccessToken)
    return { token, hash: hash(token) }
  }
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
  }
}
