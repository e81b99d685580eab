// Pages for browsers at the base URL, at unknown paths, and where a token is missing. Other clients receive JSON, and the
// empty 404.
import type { ReceivedRequest } from '../http/request.js'
import { type HttpResponse, okResponse } from '../http/response.js'
import { refusalStatuses } from '../http/statuses.js'
import type { HttpSettings } from '../settings.js'
import { chooseLanguage } from './choose-language.js'
import { pageResponse } from './page-response.js'
import type { PageRenderer, ShownPage } from './page.js'

export type BrowserPageSettings = Pick<HttpSettings, 'basePath' | 'registration' | 'logout'>

const qualityOf = (accept: string, type: string): number => {
  const range = accept.split(',').find((each) => each.split(';', 1)[0]?.trim().toLowerCase() === type)
  return range === undefined ? 0 : Number(/;\s*q=([\d.]+)/i.exec(range)?.[1] ?? 1)
}

/** RFC 9110 §12.5.1: whether a client accepts text/html and does not prefer JSON. */
export const prefersHtml = (accept: string | undefined): boolean => {
  const html = qualityOf(accept ?? '', 'text/html')
  return html > 0 && html >= qualityOf(accept ?? '', 'application/json')
}

type Home = Extract<ShownPage, { readonly kind: 'home' }>

const homeOf = ({ basePath, registration, logout }: BrowserPageSettings, exists: (path: string) => boolean): Home => {
  const { issuer } = registration
  const link = (path: string | undefined): string | undefined =>
    path !== undefined && exists(`${basePath}${path}`) ? `${issuer}${path}` : undefined
  return {
    kind: 'home',
    issuer,
    metadata: `${issuer}/.well-known/openid-configuration`,
    keySet: `${issuer}/jwks.json`,
    playground: link('/playground'),
    consents: link('/consents'),
    logout: link(logout.path),
  }
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** What a request is answered in a browser, and at the base URL. */
export type BrowserPages = {
  /** Where no route answers; undefined where the client does not prefer HTML. */
  readonly unrouted: (received: ReceivedRequest) => HttpResponse | undefined
  /** The page in place of the JSON of a 401 or 403, or else the response. */
  readonly refused: (received: ReceivedRequest, response: HttpResponse) => HttpResponse
}

const tokenRefusals: ReadonlyArray<number> = [refusalStatuses.missing_token, refusalStatuses.insufficient_scope]

export const createBrowserPages = (
  settings: BrowserPageSettings,
  ports: { readonly renderPage: PageRenderer },
  exists: (path: string) => boolean,
): BrowserPages => {
  const respond = pageResponse(ports.renderPage)
  const home = homeOf(settings, exists)
  const { issuer, metadata, keySet } = home
  const forPrograms = okResponse({ issuer, openid_configuration: metadata, jwks_uri: keySet })
  const bases = [settings.basePath, `${settings.basePath}/`]
  const isPage = ({ method, headers }: ReceivedRequest): boolean => isRead(method) && prefersHtml(headers.accept)
  const pageFor = (page: ShownPage, { headers }: ReceivedRequest): HttpResponse =>
    respond(page, chooseLanguage(undefined, headers['accept-language']))
  return {
    unrouted: (received) => {
      const isHome = bases.includes(received.path) && isRead(received.method)
      if (isPage(received)) return pageFor(isHome ? home : { kind: 'not_found' }, received)
      return isHome ? forPrograms : undefined
    },
    // RFC 9110 §15.5.2: the challenge stays.
    refused: (received, response) => {
      const { status, headers, body } = response
      if (!tokenRefusals.includes(status) || body.kind !== 'json' || !isPage(received)) return response
      const page = pageFor({ kind: 'needs_token' }, received)
      return { ...response, headers: { ...headers, ...page.headers }, body: page.body }
    },
  }
}
