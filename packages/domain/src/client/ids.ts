// The names of clients and of their registrations.
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import * as t from 'io-ts'
import type { RuleId } from '../kernel/all-rules.js'
import type { Fault } from '../kernel/faults.js'
import { anyFault } from '../kernel/refusals.js'
import { fetchedUriFault, uriParts } from './uris.js'

// draft-ietf-oauth-client-id-metadata-document-02 §3 (-00 §3): a client_id that is the URL of the client's metadata.

export interface ClientIdBrand {
  readonly ClientId: unique symbol
}

/** Each one is a ClientId. */
interface ClientIdUrlBrand extends ClientIdBrand {
  readonly ClientIdUrl: unique symbol
}

// Such URLs would pass by a list of prefixes. RFC 3986 §6.2.2.2: an unreserved character that is encoded is the same
// character.
const encodedUnreserved = /%(?:2[DE]|3\d|[46][1-9A-F]|[57][\dA]|5F|7E)/i
// RFC 3986 §2.2, §3.3: sub-delims, colon and at sign stand in a path as themselves. Some servers read %2F and %5C as a slash,
// %25 as a percent sign to decode again, several slashes as one, and leave out what follows a semicolon in a segment.
const readInTwoWays = /\/\/|;|%(?:2[14-9A-CF]|3[ABD]|40|5C)/i

// URL parsers write scheme and host in lower case, leave out port 443, and encode an apostrophe in the query. The URL
// is compared byte by byte, so that it must be the one that is requested.
const isSpelledAsRequested = (url: string): boolean => {
  const { authority = '', path, query } = uriParts(url)
  return (
    !encodedUnreserved.test(url) &&
    !readInTwoWays.test(path) &&
    url.startsWith('https://') &&
    authority === authority.toLowerCase() &&
    !authority.endsWith(':443') &&
    !query.includes("'")
  )
}

const brokenRules = (url: string): ReadonlyArray<RuleId> => {
  const broken = fetchedUriFault(url)
  if (broken !== undefined) return [broken]
  return [
    ...(uriParts(url).path === '' ? (['client-id-url-path'] as const) : []),
    ...(isSpelledAsRequested(url) ? [] : (['client-id-url-spelling'] as const)),
  ]
}

export const ClientIdUrl = t.brand(
  t.string,
  (text): text is t.Branded<string, ClientIdUrlBrand> => brokenRules(text).length === 0,
  'ClientIdUrl',
)

export type ClientIdUrl = t.TypeOf<typeof ClientIdUrl>

/** What a URL has although the draft advises against it. */
export type UrlRemark = 'query' | 'root_path'

/** A client_id as a URL; any other one is opaque: that of a registered client, or of none. */
type ReadClientId =
  | { readonly kind: 'opaque' }
  | { readonly kind: 'faulty'; readonly faults: ReadonlyNonEmptyArray<Fault> }
  | { readonly kind: 'url'; readonly url: ClientIdUrl; readonly remarks: ReadonlyArray<UrlRemark> }

// The client_id of a registered client contains no colon. An http URL is meant as a document as well.
const isMeantAsUrl = (id: unknown): id is string => typeof id === 'string' && /^https?:/i.test(id)

const remarksOn = (url: ClientIdUrl): ReadonlyArray<UrlRemark> => [
  ...(url.includes('?') ? (['query'] as const) : []),
  ...(uriParts(url).path === '/' ? (['root_path'] as const) : []),
]

/**
 * Judges a client_id that is a URL.
 *
 * @example
 * clientIdUrl('https://app.example/client.json') // { kind: 'url', url: 'https://app.example/client.json', remarks: [] }
 */
export const clientIdUrl = (id: unknown): ReadClientId => {
  if (!isMeantAsUrl(id)) return { kind: 'opaque' }
  const faults = brokenRules(id).map((rule) => anyFault(rule)('client_id'))
  if (RA.isNonEmpty(faults)) return { kind: 'faulty', faults }
  return ClientIdUrl.is(id) ? { kind: 'url', url: id, remarks: remarksOn(id) } : { kind: 'opaque' }
}

type BrandedClientId = t.Branded<string, ClientIdBrand>

// RFC 3986 §2.3: unreserved characters only, so that registration_client_uri contains the identifier unescaped.
const registeredId = /^[A-Za-z0-9._~-]{1,128}$/

/** Whether the identifier has the form of one of a registration. */
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

/**
 * Whether a new registration may have the identifier. A URL belongs to whoever publishes the document there. A stored client
 * keeps any ClientId.
 */
export const isNewClientId = (value: unknown): value is BrandedClientId =>
  isRegisteredId(value) && !namesOfObjects.includes(value)

/** Whether the client is described by the document at its client_id. */
export const isDocumented = ({ client_id }: { readonly client_id: ClientId }): boolean => !isRegisteredId(client_id)

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

/**
 * The authority for a registration: nobody, an initial access token, an operator token, or the master token, with which
 * the operator of the machine counts. In this order each has more than the one before it.
 */
export const RegisteredBy = t.keyof({ nobody: null, token: null, operator_token: null, master: null }, 'RegisteredBy')
export type RegisteredBy = t.TypeOf<typeof RegisteredBy>

/**
 * Whether a setting that names its client_id means the client. Any other registrant who may preset an id could have taken
 * one whose client is not registered yet, or no more.
 */
export const isNamedBySettings = ({ registered_by }: { readonly registered_by: RegisteredBy }): boolean =>
  registered_by === 'master'

/** Whether an operator registered the client, by whichever credential. */
export const isOperatorsClient = ({ registered_by }: { readonly registered_by: RegisteredBy }): boolean =>
  registered_by === 'master' || registered_by === 'operator_token'
