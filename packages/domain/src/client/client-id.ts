import * as t from 'io-ts'
import { type ClientIdBrand, ClientIdUrl } from './client-id-url.js'

export { type ClientIdBrand }

type BrandedClientId = t.Branded<string, ClientIdBrand>

// RFC 3986 §2.3: unreserved characters only, so that registration_client_uri contains the identifier unescaped.
const registeredId = /^[A-Za-z0-9._~-]{1,128}$/

/** Whether a registration may have the identifier. */
export const isRegisteredId = (value: unknown): value is BrandedClientId =>
  typeof value === 'string' && registeredId.test(value) && value !== '.' && value !== '..'

/** That of a registration, or the URL of the document with the metadata of the client. */
export const ClientId = t.brand(
  t.string,
  (text): text is BrandedClientId => isRegisteredId(text) || ClientIdUrl.is(text),
  'ClientId',
)

export type ClientId = t.TypeOf<typeof ClientId>

// Every object has these names (ECMA-262 §20.1.3), so that libraries that key an object by client_id confuse such a client
// with what all objects have in common.
const namesOfObjects: ReadonlyArray<string> = [
  '__defineGetter__',
  '__defineSetter__',
  '__lookupGetter__',
  '__lookupSetter__',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'toLocaleString',
  'toString',
  'valueOf',
]

/** Whether a new client may have the identifier. A stored client keeps any ClientId. */
export const isNewClientId = (value: unknown): value is ClientId =>
  ClientId.is(value) && !namesOfObjects.includes(value)

/** Whether the client is described by the document at its client_id. */
export const isDocumented = ({ client_id }: { readonly client_id: ClientId }): boolean => !isRegisteredId(client_id)
