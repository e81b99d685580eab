import * as fc from 'fast-check'
import { ClientId, RegistrationId, isNewClientId } from '@clientele/domain/client'
import { EpochSeconds } from '@clientele/domain/kernel'
import type { GeneratedCredentials } from '@clientele/domain/registration'
import { tokenHash } from './credentials.js'

const alphanumeric = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789')

const alphanumericText = (length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...alphanumeric), minLength: length, maxLength: length })

/** A time between 2001 and 2096. */
export const epochSecond = (): fc.Arbitrary<EpochSeconds> =>
  fc.integer({ min: 1_000_000_000, max: 4_000_000_000 }).filter(EpochSeconds.is)

/** A client identifier as the service generates it. */
export const clientId = (): fc.Arbitrary<ClientId> => alphanumericText(20).filter(isNewClientId)

const namesOfObjects = Object.getOwnPropertyNames(Object.prototype)

/** Any client_id that a store may have: of a few letters in either case, of names that all objects have, and URLs. */
export const anyClientId = (): fc.Arbitrary<ClientId> =>
  fc
    .oneof(
      fc.stringMatching(/^[abAB._~-]{1,4}$/),
      fc.constantFrom('__proto__', ...namesOfObjects, ...namesOfObjects.map((name) => name.toLowerCase())),
      fc.constantFrom('a', 'A').map((name) => `https://rp.example/${name}`),
    )
    .filter(ClientId.is)

/** A registration_id as the service generates it. */
export const registrationId = (): fc.Arbitrary<RegistrationId> => alphanumericText(22).filter(RegistrationId.is)

/** A client secret as the service generates it: 43 characters. */
export const clientSecretText = (): fc.Arbitrary<string> => alphanumericText(43)

/** The generated values of a registration: the time, an identifier, a secret and a registration access token. */
export const issued = (): fc.Arbitrary<GeneratedCredentials> =>
  fc.record(
    {
      at: epochSecond(),
      client_id: clientId(),
      registration_id: registrationId(),
      client_secret: clientSecretText(),
      client_secret_padding: alphanumericText(21),
      registration_access_token: fc.record(
        { token: alphanumericText(43), hash: tokenHash() },
        { noNullPrototype: true },
      ),
    },
    { noNullPrototype: true },
  )
