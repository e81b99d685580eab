import { readJson } from '@clientele/domain/kernel'
import { type RequiredClaims, decodeRequiredClaims } from '@clientele/domain/provider'
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

const isSecure = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))

// OpenID Connect Discovery §3: an https URL without query and fragment
export const issuerUrl = urlThat(
  'an https URL without user, query and fragment, such as https://accounts.example.com; http on loopback only',
  (url) => isSecure(url) && !url.href.includes('?'),
)

/** The origin of an issuer on loopback, to which the service may connect. */
export const loopbackOriginOf = (issuer: string): string | undefined =>
  isLoopback(new URL(issuer).hostname) ? new URL(issuer).origin : undefined

const requiredClaimsRule =
  'a JSON object with claims and their values, such as {"hd": ["example.com"]}, or the path of a file with one'

/** A text that begins as a JSON object, or the path of a file with one. */
export const requiredClaims: Parse<RequiredClaims> = (text) =>
  pipe(
    text.trimStart().startsWith('{')
      ? E.right(text)
      : pipe(
          readFile(text),
          E.mapLeft((code) => `${requiredClaimsRule}: ${text} cannot be read (${code})`),
        ),
    E.flatMap((json) =>
      pipe(
        readJson(json),
        E.mapLeft((fault) => `${requiredClaimsRule}: it ${fault.text}`),
      ),
    ),
    E.flatMap((value) =>
      pipe(
        decodeRequiredClaims(value),
        E.mapLeft(
          (faults) =>
            `${requiredClaimsRule}: ${faults.map(({ pointer, description }) => `${pointer || 'it'} ${description}`).join('; ')}`,
        ),
      ),
    ),
  )

export const loginPageUrl = urlThat(
  'an https URL without user and fragment, such as https://www.example.com/login; http on loopback only',
  isSecure,
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
