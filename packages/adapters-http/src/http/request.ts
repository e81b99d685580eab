// A request as a value: its header fields, its credential and its body.
import type { AuditOrigin } from '@clientele/domain/audit'
import { type HashText, type PresentedCredential, presentedToken } from '@clientele/domain/authorization'
import { isReadMember } from '@clientele/domain/client'
import {
  type InvalidRequest,
  invalidRequest,
  isPlainObject,
  jsonExpected,
  parseWellFormedJson,
} from '@clientele/domain/kernel'
import { type IfMatch, signedBody } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Traced } from '../ports.js'
import type { HttpSettings } from '../settings.js'
import type { TransportRefusal } from './response.js'

/** The header fields in use, except Authorization. */
export const fieldNames = [
  'accept',
  'accept-language',
  'content-encoding',
  'content-type',
  'cookie',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'origin',
  'forwarded',
  'host',
  'sec-fetch-site',
  'x-forwarded-for',
] as const

/** By lower-case names. RFC 9110 §5.3: a repeated field is one list. */
export type RequestHeaders = Readonly<Partial<Record<(typeof fieldNames)[number], string | undefined>>>

/** A request from a shell, without its body. */
export type ReceivedRequest = {
  readonly method: string
  /** As sent, percent-encoded. */
  readonly path: string
  /** The part after the question mark, as sent. */
  readonly queryString: string
  readonly headers: RequestHeaders
  /** All Authorization fields; where the runtime joins them to a list, that list, which contains no valid token. */
  readonly authorization: ReadonlyArray<string>
  /** The address of the sender, if the host knows it. */
  readonly remoteAddress: string | undefined
  readonly requestId: string
  /** The trace of the request, where the host traces. */
  readonly traced: Traced | undefined
}

/** The maximum size of a body in octets; a larger one is not read. */
export const maxBodyBytes = 65_536

export type UnreadBody = 'too_large' | 'ended_early'

/**
 * Reads the body of a request from its runtime, `maxBodyBytes` at most. It is called once, and only for a body of an
 * accepted type.
 */
export type ReadBytes<Peer> = (peer: Peer) => Promise<E.Either<UnreadBody, Uint8Array>>

/** All values of each parameter, so that a repeated one stays visible. */
export type Query = Readonly<Record<string, ReadonlyArray<string>>>

/** The body as JSON or as the values of a form, or the reason why it cannot be read. */
export type RequestBody = E.Either<InvalidRequest, unknown>

/** A request for a handler: a value, without the framework. */
export type HttpRequest = Pick<ReceivedRequest, 'method' | 'headers' | 'remoteAddress'> & {
  readonly credential: PresentedCredential
  /** For the audit log. */
  readonly origin: AuditOrigin
  /** The id of the client, session or initial access token in the path; empty where the path has none. */
  readonly id: string
  readonly query: Query
  readonly body: RequestBody
}

const maxCredentials = 4096
// RFC 6750 §2.1: b64token; RFC 9110 §11.4: the scheme in any case, one or more spaces
const credentials = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i

type BearerSettings = Pick<HttpSettings, 'masterToken' | 'operatorAlone'> & { readonly hashToken: HashText }

const hasTokenIn = (body: RequestBody): boolean =>
  E.isRight(body) && typeof body.right === 'object' && body.right !== null && Object.hasOwn(body.right, 'access_token')

const tokenIn = (header: string): string | undefined =>
  header.length > maxCredentials ? undefined : credentials.exec(header)?.[1]

/** The credential of a request; only the hash of its token leaves this function. */
export const presentedCredential = ({ masterToken, operatorAlone, hashToken }: BearerSettings) => {
  const credentialOf = presentedToken(...[masterToken].flat())
  const without: PresentedCredential = { kind: operatorAlone === undefined ? 'none' : 'store' }
  return (authorization: ReceivedRequest['authorization'], query: Query, body: RequestBody): PresentedCredential => {
    // RFC 6750 §2: one method for sending a token; the service accepts only the header
    if (authorization.length > 1 || 'access_token' in query || hasTokenIn(body)) return { kind: 'unusable' }
    const [header] = authorization
    if (header === undefined) return without
    const token = tokenIn(header)
    return token === undefined ? { kind: 'unusable' } : credentialOf(hashToken(token))
  }
}

// RFC 8941 §3.3.3: a string is printable ASCII in quotation marks. Many programs leave these out, and such a key is taken
// as the same one. RFC 9110 §5.3: a repeated field is a list with commas.
const quotedKey = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/
const bareKey = /^[\x21\x23-\x2b\x2d-\x7e]+$/

const maxKey = 255
/** 128 bits in base64url: without a credential, the key alone says who asks again. */
const minAnonymousLength = 22

const invalidKey = invalidRequest(
  `Idempotency-Key must be one string of 1 to ${maxKey} printable ASCII characters: send a random UUID in quotation marks`,
)
const guessableKey = invalidRequest(
  `Idempotency-Key without a token must have at least ${minAnonymousLength} characters: send a random UUID in quotation marks`,
)

const keyIn = (field: string): string | undefined => {
  const text = field.trim()
  const quoted = quotedKey.exec(text)?.[1]?.replace(/\\(.)/g, '$1')
  const key = quoted ?? (bareKey.test(text) ? text : '')
  return key === '' || key.length > maxKey ? undefined : key
}

type KeyAndBody = { readonly idempotencyKey: string | undefined; readonly body: RequestBody }

/**
 * draft-ietf-httpapi-idempotency-key-header-07 §2.1. An invalid key is a fault of the request, which only an authorized
 * requester is told.
 */
export const readIdempotencyKey = ({ headers, credential, body }: HttpRequest): KeyAndBody => {
  const field = headers['idempotency-key']
  if (field === undefined) return { idempotencyKey: undefined, body }
  const idempotencyKey = keyIn(field)
  if (idempotencyKey === undefined) return { idempotencyKey, body: E.left(invalidKey) }
  return credential.kind === 'none' && idempotencyKey.length < minAnonymousLength
    ? { idempotencyKey: undefined, body: E.left(guessableKey) }
    : { idempotencyKey, body }
}

/** RFC 9110 §13.1.1: the entity tags of the header field. What is no entity tag of a client matches none. */
export const readIfMatch = (field: string | undefined): IfMatch => {
  if (field === undefined) return undefined
  return field.trim() === '*' ? '*' : field.split(',').map((tag) => tag.trim())
}

/**
 * The address of the sender, unless it is that of a proxy: a proxy that the service does not trust adds X-Forwarded-For
 * (or RFC 7239 Forwarded), and the address is then none of those in it.
 */
export const ownAddressOf = ({ headers, remoteAddress }: HttpRequest): string | undefined => {
  const chain = headers['x-forwarded-for']
  if (chain === undefined) return headers.forwarded === undefined ? remoteAddress : undefined
  return chain.split(',').some((each) => each.trim() === remoteAddress) ? remoteAddress : undefined
}

/**
 * Fetch Metadata §2.1, RFC 6454 §7: whether another site sent the form. Its origin is null where the page sends no
 * referrer.
 */
export const isFromElsewhere = ({ headers }: HttpRequest, origin: string): boolean => {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return ![undefined, 'null', origin].includes(headers.origin)
}

// Visible characters of ids, and none that a log or a header would quote.
const wellFormed = /^[A-Za-z0-9._~+/=@:-]{1,128}$/

/** The id that a proxy gave a request, if it is one that a log entry and an answer can carry; otherwise undefined. */
export const parseRequestId = (field: unknown): string | undefined =>
  typeof field === 'string' && wellFormed.test(field) ? field : undefined

/** RFC 9110 §8.6: whether the Content-Length of a request exceeds the maximum. */
export const declaresTooMuch = ({
  headers,
}: {
  readonly headers: { readonly 'content-length'?: string | undefined }
}): boolean => Number(headers['content-length']) > maxBodyBytes

/** All values of each name, so that a repeated one stays visible: URL Standard §5.1, in linear time. */
export const valuesOf = (text: string): Readonly<Record<string, ReadonlyArray<string>>> => {
  const values = new Map<string, Array<string>>()
  for (const [name, value] of new URLSearchParams(text)) {
    const known = values.get(name)
    if (known === undefined) values.set(name, [value])
    else known.push(value)
  }
  return Object.fromEntries(values)
}

// RFC 9110 §8.3.1: type, subtype and charset are case-insensitive; RFC 8259 §8.1: JSON is UTF-8. No two runs of blanks
// are adjacent, so that matching is linear.
const jsonType = /^application\/json[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?(?:;[ \t]*)?$/i
// Older clients name the charset so; the body is read as UTF-8 all the same.
const lenientJsonType = /^application\/json[ \t]*(?:;[ \t]*charset=(?:utf-?8|"utf-?8")[ \t]*)?(?:;[ \t]*)?$/i

/** Whether a body of that type names its charset so. */
export const namesSloppyCharset = ({ headers }: HttpRequest): boolean =>
  /charset="?utf8"?/i.test(headers['content-type'] ?? '')

// RFC 7396 §4, with the parameter that JSON is sent with
const mergePatchType =
  /^application\/(?:merge-patch\+)?json[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?(?:;[ \t]*)?$/i
// RFC 7519 §10.3.1: no parameters
const jwtType = /^application\/jwt[ \t]*(?:;[ \t]*)?$/i
const formType = /^application\/x-www-form-urlencoded[ \t]*(?:;.*)?$/i

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

// URL Standard §5.1: malformed bytes are replaced, and a byte order mark is not removed
const lenientUtf8 = new TextDecoder('utf-8', { ignoreBOM: true })

const decodeUtf8 = (bytes: Uint8Array): E.Either<InvalidRequest, string> =>
  E.tryCatch(
    () => strictUtf8.decode(bytes),
    () => invalidRequest('The body is not well-formed UTF-8'),
  )

/** The body as JSON that every reader understands alike, or its fault. */
export const readJson = (bytes: Uint8Array, isRead?: (member: string) => boolean): RequestBody => {
  if (bytes.length === 0) return E.left(invalidRequest('The body is empty: send a JSON object'))
  const text = decodeUtf8(bytes)
  return E.isLeft(text) ? text : parseWellFormedJson(text.right, isRead)
}

/** The text of a JWT; the use case decides whether it is taken. */
const readJwt = (bytes: Uint8Array): RequestBody => E.map(signedBody)(decodeUtf8(bytes))

/** All values of each field of a form, so that a repeated field stays visible. */
const readForm = (bytes: Uint8Array): RequestBody => E.right(valuesOf(lenientUtf8.decode(bytes)))

const isFields = (body: unknown): body is Query => typeof body === 'object' && body !== null

/** The flag of a query, which is false where it is not there. Another value than true or false is a fault of the request. */
export const flagIn = (query: Query, name: string): E.Either<InvalidRequest, boolean> => {
  const [value = 'false', ...more] = query[name] ?? []
  return more.length === 0 && ['true', 'false'].includes(value)
    ? E.right(value === 'true')
    : E.left(invalidRequest(`${name} must be true or false, and stand once`))
}

/** The fields of a form; none where it cannot be read. */
export const fieldsOf = (body: RequestBody): Query => (E.isRight(body) && isFields(body.right) ? body.right : {})

/** The format of the body of a route. */
export type BodyFormat = 'json' | 'json-or-jwt' | 'lenient-json-or-jwt' | 'merge-patch' | 'form'

type Format = {
  readonly type: RegExp
  readonly read: (bytes: Uint8Array) => RequestBody
  readonly otherType: RequestBody
}

const jsonFormat: Format = { type: jsonType, read: readJson, otherType: E.left(jsonExpected) }

const jwtFormat: Format = { type: jwtType, read: readJwt, otherType: E.left(jsonExpected) }

/** Where a JWT is taken as well, the format of all others. */
const formats: Readonly<Record<BodyFormat, Format>> = {
  json: jsonFormat,
  'json-or-jwt': jsonFormat,
  'lenient-json-or-jwt': {
    type: lenientJsonType,
    // A number in a member that is dropped is not stored.
    read: (bytes) => readJson(bytes, isReadMember),
    otherType: E.left(jsonExpected),
  },
  'merge-patch': {
    type: mergePatchType,
    read: readJson,
    otherType: E.left(
      invalidRequest('The Content-Type must be application/merge-patch+json or application/json, in UTF-8'),
    ),
  },
  form: { type: formType, read: readForm, otherType: E.left(invalidRequest('The body must be a form')) },
}

/** RFC 9110 §8.4: a body with another content coding is refused. */
const isPlain = (encoding: string | undefined): boolean =>
  encoding === undefined || ['', 'identity'].includes(encoding.trim().toLowerCase())

const endedEarly: RequestBody = E.left(invalidRequest('The body ended early'))

const unread = (fault: UnreadBody): E.Either<TransportRefusal, RequestBody> =>
  fault === 'too_large' ? E.left({ error: 'too_large' }) : E.right(endedEarly)

const formatOf = (format: BodyFormat, type: string): Format =>
  format.endsWith('-or-jwt') && jwtType.test(type) ? jwtFormat : formats[format]

/** Reads the body of a request. A body of another type is refused without reading it. */
export const readBody = async <Peer>(
  format: BodyFormat,
  headers: RequestHeaders,
  readBytes: ReadBytes<Peer>,
  peer: Peer,
): Promise<E.Either<TransportRefusal, RequestBody>> => {
  const contentType = headers['content-type'] ?? ''
  const { type, read, otherType } = formatOf(format, contentType)
  if (!isPlain(headers['content-encoding'])) return E.left({ error: 'unsupported_encoding' })
  if (!type.test(contentType)) return E.right(otherType)
  const bytes = await readBytes(peer)
  return E.isLeft(bytes) ? unread(bytes.left) : E.right(read(bytes.right))
}

// Unknown members are refused, because a misspelled one would select everything.
/** The optional text member of a body. */
export const textMember =
  (name: string, rule: string) =>
  (body: RequestBody): E.Either<InvalidRequest, string | undefined> =>
    pipe(
      body,
      E.flatMap((json) => (isPlainObject(json) ? E.right(json) : E.left(invalidRequest(rule)))),
      E.filterOrElse(
        (json) => Object.entries(json).every(([each, value]) => each === name && typeof value === 'string'),
        () => invalidRequest(rule),
      ),
      E.map((json) => (Object.hasOwn(json, name) ? String(json[name]) : undefined)),
    )

/** The required text member of a body. */
export const requiredTextMember = (
  name: string,
  rule: string,
): ((body: RequestBody) => E.Either<InvalidRequest, string>) => {
  const member = textMember(name, rule)
  return (body) => pipe(member(body), E.flatMap(E.fromNullable(invalidRequest(rule))))
}
