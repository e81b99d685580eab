// Public, cacheable documents: rendered once, and answered with 304 to a client that has the same text.
import { describeProvider } from '@clientele/domain/operations'
import type { JwkSetSource } from '@clientele/domain/ports'
import { sha256 } from '@noble/hashes/sha2.js'
import * as E from 'fp-ts/lib/Either.js'
import { type HttpResponse, type ResponseHeaders, emptyResponse, errorResponse, utf8 } from '../http/response.js'
import { languages } from '../pages/messages/languages.js'
import type { Respond } from '../pages/page-response.js'
import type { DeveloperPage } from '../pages/page.js'
import type { HttpPorts } from '../ports.js'
import type { HttpSettings, PublishedDocument } from '../settings.js'
import { type Handler, type PublishedHandler, type Route, baseOf, escapePattern, publication, route } from './route.js'

/** RFC 4648 §5, without padding. */
const base64url = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

type Rendered = { readonly etag: string; readonly text: string }

/** RFC 9110 §8.8.3: equal texts have equal entity tags on every instance. */
const tagged = (text: string): Rendered => ({ text, etag: `"${base64url(sha256(utf8(text)))}"` })

export const render = (value: unknown): Rendered => tagged(JSON.stringify(value))

// RFC 9110 §13.1.2: one of a list, or * for any; W/ is ignored in this comparison
const has = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)

/** Both answers of a text, made once. RFC 9111 §5.2.2: public, cacheable for so many seconds. */
export const publishing = (
  { etag, text }: Rendered,
  maxAge: number,
  described: ResponseHeaders = { 'Content-Type': 'application/json' },
): PublishedHandler => {
  const headers = { ETag: etag, 'Cache-Control': `public, max-age=${maxAge}` }
  const whole: HttpResponse = {
    status: 200,
    headers: Object.assign({}, described, headers),
    body: { kind: 'text', text },
  }
  const unchanged = emptyResponse(304, headers)
  return (request) => {
    const ifNoneMatch = request.headers['if-none-match']
    return ifNoneMatch !== undefined && has(ifNoneMatch, etag) ? unchanged : whole
  }
}

/** The same for a value that changes: made anew only for another value, or another time. */
export const publishingOnce = (): ((value: object, maxAge: number) => PublishedHandler) => {
  let last:
    { readonly value: object; readonly text: Rendered; readonly maxAge: number; handler: PublishedHandler } | undefined
  return (value, maxAge) => {
    if (last?.value !== value || last.maxAge !== maxAge) {
      const text = last?.value === value ? last.text : render(value)
      last = { value, text, maxAge, handler: publishing(text, maxAge) }
    }
    return last.handler
  }
}

/** A static document; a browser that stored it revalidates it each time. */
export const getDocument = ({ text, headers }: PublishedDocument): PublishedHandler =>
  publishing(tagged(text), 0, headers)

const secondsOfPage = 60

/**
 * A page for everybody, which is made when it is asked for, and again after a minute, because the theme may have been read
 * again.
 */
const getPage = (make: () => HttpResponse): PublishedHandler => {
  let last: { readonly at: number; readonly handler: PublishedHandler } | undefined
  return (request) => {
    const at = performance.now()
    if (last === undefined || at - last.at > secondsOfPage * 1000) {
      const { headers, body } = make()
      last = { at, handler: publishing(tagged(body.kind === 'text' ? body.text : ''), secondsOfPage, headers) }
    }
    return last.handler(request)
  }
}

/** The page where a family of published pages has none of that name. */
const noSuchPage = (respond: Respond): HttpResponse => {
  const page = respond({ kind: 'not_found' }, 'en')
  return { ...page, headers: { ...page.headers, 'Cache-Control': 'public, max-age=60' } }
}

/** The routes of a family of published pages: its list, and a page for each id, which is made when it is asked for. */
export const pagesBelow = (
  path: string,
  respond: Respond,
  list: () => DeveloperPage,
  find: (id: string) => (() => DeveloperPage) | undefined,
): ReadonlyArray<Route> => {
  const pages = new Map<string, PublishedHandler>()
  const getOne: Handler = (request) => {
    const make = find(request.id)
    if (make === undefined) return noSuchPage(respond)
    const known = pages.get(request.id) ?? getPage(() => respond(make(), 'en'))
    pages.set(request.id, known)
    return known(request)
  }
  const getList = getPage(() => respond(list(), 'en'))
  return [publication(path, getList, 'none'), { ...route('GET', `${path}/:id`, getOne), stored: true }]
}

/** RFC 7517 §5: the public keys; a verifier may cache them until the next change, within the maximum of the policy. */
export const getJwks = ({ publishedJwkSet }: JwkSetSource): PublishedHandler => {
  const publishedAs = publishingOnce()
  return (request) => {
    const published = publishedJwkSet()
    if (E.isLeft(published)) return errorResponse(published.left)
    const { jwkSet, maxAge } = published.right
    return publishedAs(jwkSet, maxAge)(request)
  }
}

// RFC 8414 §3.1: the well-known part is inserted before the path of the issuer, also for openid-configuration (§5);
// OpenID Discovery §4 appends it
const metadataPaths = (base: string): ReadonlyArray<string> => [
  ...new Set([
    `${base}/.well-known/openid-configuration`,
    `${base}/.well-known/oauth-authorization-server`,
    `/.well-known/oauth-authorization-server${base}`,
    `/.well-known/openid-configuration${base}`,
  ]),
]

/** OpenID Discovery §3, RFC 8414 §2 */
export const providerMetadata = ({ registration, logout }: HttpSettings): ReturnType<typeof describeProvider> => {
  const endSession =
    logout.path === undefined
      ? undefined
      : {
          endpoint: `${registration.issuer}${logout.path}`,
          backchannel: logout.policy.backchannel,
          uiLocales: languages,
        }
  return describeProvider({ ...registration, jwksUri: `${registration.issuer}/jwks.json`, endSession })
}

/** OpenID Discovery §4, RFC 8414 §3: the metadata never changes and is rendered once. */
export const getProviderMetadata = (settings: HttpSettings): PublishedHandler =>
  publishing(render(providerMetadata(settings)), settings.keyPolicy.maxAge)

export const publishedRoutes = (
  settings: HttpSettings,
  { jwkSet }: Pick<HttpPorts, 'jwkSet'>,
): ReadonlyArray<Route> => {
  const base = baseOf(settings)
  const metadata = getProviderMetadata(settings)
  return [
    publication(`${base}/jwks.json`, getJwks(jwkSet), 'any'),
    ...metadataPaths(base).map((path) => publication(path, metadata, 'any')),
    ...(settings.documents ?? []).map((each) =>
      publication(`${base}${escapePattern(each.path)}`, getDocument(each), 'none'),
    ),
  ]
}
