import * as t from 'io-ts'

export interface RegistrationIdBrand {
  readonly RegistrationId: unique symbol
}

/**
 * Identifies one registration of a client: a client that is registered again under the same client_id has another one.
 * It has at least 128 random bits, is never used again, and is in no response of the service as a whole: entity
 * tags have its end.
 */
export const RegistrationId = t.brand(
  t.string,
  (text): text is t.Branded<string, RegistrationIdBrand> => /^[A-Za-z0-9_-]{22,128}$/.test(text),
  'RegistrationId',
)

export type RegistrationId = t.TypeOf<typeof RegistrationId>
