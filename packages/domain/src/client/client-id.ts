import * as t from 'io-ts'

export interface ClientIdBrand {
  readonly ClientId: unique symbol
}

// RFC 3986 §2.3: unreserved characters only, so that registration_client_uri contains the identifier unescaped.
const clientIdPattern = /^[A-Za-z0-9._~-]{1,128}$/

export const isClientId = (text: string): boolean => clientIdPattern.test(text) && text !== '.' && text !== '..'

export const ClientId = t.brand(
  t.string,
  (text): text is t.Branded<string, ClientIdBrand> => isClientId(text),
  'ClientId',
)

export type ClientId = t.TypeOf<typeof ClientId>
