// The header fields that a request brings, and the cookies that answers set.
import {
  type HashText,
  type PresentedCredential,
  type TokenHash,
  presentedToken,
} from '@clientele/domain/authorization'
import { invalidRequest } from '@clientele/domain/kernel'
import type { IfMatch } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import type { HttpRequest, Query, ReceivedRequest, RequestBody } from './request.js'

const maxCredentials = 4096
// RFC 6750 §2.1: b64token; RFC 9110 §11.4: the scheme in any case, one or more spaces
const credentials = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i

export type BearerSettings = {
  /** The digests of the master tokens, of which several may count at once. */
  readonly masterToken: TokenHash | ReadonlyArray<TokenHash>
  /** The way by which only the operator of the machine can send requests: one without a token is the operator's. */
  readonly operatorAlone?: 'socket' | 'command' | undefined
  readonly hashToken: HashText
}

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

export type KeyAndBody = { readonly idempotencyKey: string | undefined; readonly body: RequestBody }

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

// RFC 6265 §5.2: only blanks and tabs, because browsers do not take a name with another character for one with our
// prefix. The pattern starts only at the first blank of a run, so that it is linear.
const withoutBlanks = (pair: string): string => pair.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '')

/**
 * The value of this service's cookie in a Cookie field: RFC 6265 §4.2.1. A cookie that occurs twice counts as absent,
 * because another host may have set one of the two.
 */
const onlyCookie =
  (form: RegExp) =>
  (field: string | undefined, name: string): string | undefined => {
    const pairs = (field ?? '').split(';').map(withoutBlanks)
    const [value, ...more] = pairs.flatMap((pair) => (pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []))
    return value !== undefined && more.length === 0 && form.test(value) ? value : undefined
  }

/** The value of a cookie that identifies something, in a Cookie field. */
export const cookieIn = onlyCookie(/^[A-Za-z0-9]{1,128}$/)

export const cookieOf = ({ headers }: HttpRequest, name: string): string | undefined => cookieIn(headers.cookie, name)

// RFC 6265 §6.1: browsers keep 4096 bytes of a cookie at least, its name and attributes included
const sealedForm = /^[\w.~-]{1,3800}$/

export const isSealedValue = (value: string): boolean => sealedForm.test(value)

const sealedCookieIn = onlyCookie(sealedForm)

/** The value of a cookie with sealed content. */
export const sealedCookieOf = ({ headers }: HttpRequest, name: string): string | undefined =>
  sealedCookieIn(headers.cookie, name)

/** The cookies of a Cookie field whose names begin so, in their order, with the length of each pair. */
export const cookiesNamed = (
  { headers }: HttpRequest,
  begin: string,
): ReadonlyArray<{ readonly name: string; readonly length: number }> =>
  (headers.cookie ?? '').split(';').flatMap((given) => {
    const pair = withoutBlanks(given)
    const end = pair.indexOf('=')
    return end >= begin.length && pair.startsWith(begin) ? [{ name: pair.slice(0, end), length: pair.length }] : []
  })

/** The hash of a cookie; its value does not leave this function. */
export const hashedCookie =
  ({ hashToken }: { readonly hashToken: HashText }) =>
  (request: HttpRequest, name: string): TokenHash | undefined => {
    const value = cookieOf(request, name)
    return value === undefined ? undefined : hashToken(value)
  }

export type CookieNames = {
  /** Identifies the end-user session. */
  readonly session: string
  /** Identifies the browser that received a confirmation page. */
  readonly confirmation: string
  /** The same for cross-site requests without cookies, so that an existing cookie is not replaced. */
  readonly unseen: string
  /** The state of a login at another party, while the browser is there. */
  readonly login: string
  readonly attributes: string
}

/**
 * RFC 6265bis §4.1.3.2: the prefix stops other hosts and plain http from setting them; without https there is no
 * prefix.
 */
export const cookieNames = (baseUrl: string): CookieNames =>
  baseUrl.startsWith('https:')
    ? {
        session: '__Host-clientele-session',
        confirmation: '__Host-clientele-logout',
        unseen: '__Host-clientele-logout-unseen',
        login: '__Host-clientele-login',
        attributes: 'Path=/; HttpOnly; SameSite=Lax; Secure',
      }
    : {
        session: 'clientele-session',
        confirmation: 'clientele-logout',
        unseen: 'clientele-logout-unseen',
        login: 'clientele-login',
        attributes: 'Path=/; HttpOnly; SameSite=Lax',
      }

export const setCookie = (name: string, value: string, { attributes }: CookieNames): string =>
  `${name}=${value}; ${attributes}`

export const clearCookie = (name: string, { attributes }: CookieNames): string => `${name}=; Max-Age=0; ${attributes}`
