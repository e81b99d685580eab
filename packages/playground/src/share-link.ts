// The state as the fragment of an address, which requests do not contain (RFC 3986 §3.5).
import { registrationScopeValues } from '@clientele/domain/authorization'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { State } from './state.js'

// RFC 4648 §5, without padding: characters that a URL does not escape.

/** A text as base64url of its UTF-8. */
export const toBase64url = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text that the base64url encodes, if it is valid. */
export const fromBase64url = (encoded: string): string | undefined => {
  if (!/^[\w-]*$/.test(encoded)) return undefined
  const decoded = O.tryCatch(() => {
    const octets = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'))
    return strictUtf8.decode(Uint8Array.from(octets, (octet) => octet.charCodeAt(0)))
  })
  return O.toUndefined(decoded)
}

const version = '1.'

/** In characters: other programs cut longer ones. */
export const maxFragment = 16_384

export type Unshareable = 'secret' | 'too_long'
export type BrokenLink = 'other_version' | 'too_long' | 'malformed'

// Responses of a service contain these members, and users may paste them; names of authentication methods begin alike.
const secretMember = /client_secret(?!_(?:basic|post|jwt))|registration_access_token/
// RFC 7518 §6.2.2, §6.3.2, §6.4 and RFC 8037 §2: every private or symmetric key has one of these.
const privateMember = /"[dk]"\s*:\s*"/

// Addresses stay in histories, logs and messages.
// RFC 3986 §3.2.1: user information
const userInfo = /\/\/[^/?#]*@/

const holdsSecret = ({ body, url }: State): boolean =>
  secretMember.test(body) || userInfo.test(url) || (body.includes('"kty"') && privateMember.test(body))

/** The fragment of the state, without #. */
export const fragmentOf = (state: State): E.Either<Unshareable, string> => {
  if (holdsSecret(state)) return E.left('secret')
  if (state.body.length + state.url.length > maxFragment) return E.left('too_long')
  const { mode, openScope, ticked, scopeValues, body, url, baseUrl } = state
  const texts = [mode, openScope, ticked.join(' '), scopeValues, body, baseUrl]
  // A link without a URL is as it was before there were any.
  const json = JSON.stringify(url === '' ? texts : [...texts, url])
  return pipe(
    E.right(`${version}${toBase64url(json)}`),
    E.filterOrElse(
      ({ length }) => length <= maxFragment,
      (): Unshareable => 'too_long',
    ),
  )
}

type Texts = readonly [string, string, string, string, string, string, string?]

const isTexts = (json: unknown): json is Texts =>
  Array.isArray(json) &&
  (json.length === 6 || (json.length === 7 && json[6] !== '')) &&
  json.every((each) => typeof each === 'string')

const isKnown = (value: string): boolean => registrationScopeValues.includes(value)

const stateIn = (json: unknown): State | undefined => {
  if (!isTexts(json)) return undefined
  const [mode, openScope, values, scopeValues, body, baseUrl, url = ''] = json
  const ticked = values === '' ? [] : values.split(' ')
  return (mode === 'open' || mode === 'managed') && ticked.every(isKnown)
    ? { mode, openScope, ticked, scopeValues, body, url, baseUrl }
    : undefined
}

/** The state of a fragment, or its fault. */
export const stateOfFragment = (fragment: string): E.Either<BrokenLink, State> => {
  if (fragment.length > maxFragment) return E.left('too_long')
  if (!fragment.startsWith(version)) return E.left(/^\d+\./.test(fragment) ? 'other_version' : 'malformed')
  const json = fromBase64url(fragment.slice(version.length)) ?? ''
  const state = stateIn(O.toUndefined(O.tryCatch((): unknown => JSON.parse(json))))
  return state === undefined ? E.left('malformed') : E.right(state)
}
