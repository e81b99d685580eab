import * as t from 'io-ts'

export interface RegistrationIdBrand {
  readonly RegistrationId: unique symbol
}

/**
 * Identifies one registration of a client: a client that is registered again under the same client_id has another one. At least
 * 128 random bits, never used again, and never in an answer of the service.
 */
export const RegistrationId = t.brand(
  t.string,
  (text): text is t.Branded<string, RegistrationIdBrand> => /^[A-Za-z0-9_-]{22,128}$/.test(text),
  'RegistrationId',
)

export type RegistrationId = t.TypeOf<typeof RegistrationId>
