import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { isLoopback } from './base-url.js'
import { type PublicKeys, readPublicKeys } from './public-keys.js'
import { readFile } from './read-file.js'
import type { Parse } from './setting.js'

/** By which the responses of a login page are verified. */
export type LoginPageKey =
  { readonly kind: 'public'; readonly jwks: PublicKeys } | { readonly kind: 'secret'; readonly secret: string }

const isPlain = (url: URL): boolean => url.username === '' && url.password === ''

const urlThat =
  (rule: string, holds: (url: URL) => boolean): Parse<string> =>
  (text) =>
    URL.canParse(text) && !/[\s#]/.test(text) && isPlain(new URL(text)) && holds(new URL(text))
      ? E.right(text)
      : E.left(rule)

// OpenID Connect Discovery §3: an https URL without query and fragment
export const issuerUrl = urlThat(
  'an https URL without user, query and fragment, such as https://accounts.example.com',
  ({ protocol, href }) => protocol === 'https:' && !href.includes('?'),
)

export const loginPageUrl = urlThat(
  'an https URL without user and fragment, such as https://www.example.com/login; http on loopback only',
  ({ protocol, hostname }) => protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname)),
)

// RFC 6749 appendix A.2: VSCHAR
export const upstreamSecret: Parse<string> = (text) =>
  /^[\x20-\x7e]{1,1024}$/.test(text) ? E.right(text) : E.left('1 to 1024 ASCII characters')

// RFC 7518 §3.2: a key of HS256 has at least 256 bits
export const loginPageSecret: Parse<LoginPageKey> = (text) =>
  Buffer.byteLength(text) >= 32 && text.length <= 1_024
    ? E.right({ kind: 'secret', secret: text })
    : E.left('32 to 1024 characters, chosen at random')

export const loginPageKeys: Parse<LoginPageKey> = (file) =>
  pipe(
    readPublicKeys(readFile, file),
    E.map((jwks) => ({ kind: 'public' as const, jwks })),
    E.mapLeft((reason) => `the path of a JSON file with a JWK Set of public keys only (RFC 7517 section 5): ${reason}`),
  )
