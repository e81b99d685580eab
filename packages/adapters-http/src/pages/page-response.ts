// Pages as responses, with their status and the headers that restrict them; and the pages at addresses without a route.
import type { TooManyRequests, Unavailable } from '@clientele/domain/kernel'
import { withdrawnTexts } from '@clientele/domain/life-cycle'
import { shownApplication } from '@clientele/domain/logout'
import { clientLink } from '@clientele/domain/provider'
import type { RegisteredClient } from '@clientele/domain/registration'
import type { ReceivedRequest } from '../http/request.js'
import { type HttpResponse, type ResponseHeaders, okResponse, tooMany } from '../http/response.js'
import type { HttpSettings, OpenerPolicy } from '../settings.js'
import { refusalStatuses } from '../statuses.js'
import { type Language, chooseLanguage } from './messages/languages.js'
import type { PageRenderer, RenderedPage, ShownPage } from './page.js'

/** The statuses of the pages for browsers. */
const pageStatuses = {
  home: 200,
  rules: 200,
  rule: 200,
  reference: 200,
  operation: 200,
  dialog: 200,
  nobody: 200,
  signed_out: 200,
  still_signed_in: 200,
  login: 200,
  choose_login: 200,
  consent: 200,
  consents: 200,
  login_failed: 403,
  not_permitted: 403,
  sign_in_misconfigured: refusalStatuses.unavailable,
  too_many_attempts: refusalStatuses.too_many_requests,
  too_many_requests: refusalStatuses.too_many_requests,
  interaction_gone: refusalStatuses.invalid_request,
  request_error: refusalStatuses.invalid_request,
  application_suspended: refusalStatuses.invalid_request,
  application_pending: refusalStatuses.insufficient_scope,
  application_refused: refusalStatuses.insufficient_scope,
  sign_in_unavailable: refusalStatuses.unavailable,
  needs_token: refusalStatuses.missing_token,
  gone: refusalStatuses.invalid_request,
  not_found: refusalStatuses.not_found,
  unavailable: refusalStatuses.unavailable,
} as const

type PageHeaders = {
  /** Front-Channel Logout §3: the origins that the page may load in frames. */
  readonly frameOrigins?: ReadonlyArray<string>
  /** The URI that the browser opens some seconds after the page has loaded. */
  readonly goesOnTo?: string | undefined
}

// Time for the requests of the frames, and for reading the page.
const secondsOfFrames = 4

type PagePolicy = {
  readonly language: Language
  /** CSP: what the page may do beside showing its style. */
  readonly directives: ReadonlyArray<string>
  readonly openerPolicy?: OpenerPolicy | undefined
}

/** A page as a response, with the headers that restrict it: it loads nothing, and nothing frames it. */
export const htmlResponse = (
  status: number,
  { html, styleHash }: RenderedPage,
  { language, directives, openerPolicy = 'same-origin' }: PagePolicy,
): HttpResponse => ({
  status,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': language,
    'Content-Security-Policy': [
      "default-src 'none'",
      `style-src '${styleHash}'`,
      ...directives,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'X-Frame-Options': 'DENY',
    // Hides the page, its frames and their number from a site that opened it in a window.
    'Cross-Origin-Opener-Policy': openerPolicy,
    // The address of the page contains an ID token.
    'Referrer-Policy': 'no-referrer',
  },
  body: { kind: 'text', text: html },
})

/** RFC 9110 §15.5.2: a 401 has a challenge. No browser knows this scheme, so that it shows the page. */
export const challengeOfForms: ResponseHeaders = { 'WWW-Authenticate': 'Form' }

// No form-action: Chromium applies it to redirects too, so that the redirect to the application would fail.
const directivesOf = (frames: ReadonlyArray<string>): ReadonlyArray<string> => [
  'img-src data:',
  ...(frames.length === 0 ? [] : [`frame-src ${[...new Set(frames)].join(' ')}`]),
]

/** Renders a page as a response. */
export type Respond = (page: ShownPage, language: Language, given?: PageHeaders) => HttpResponse

export const pageResponse =
  (render: PageRenderer, openerPolicy?: OpenerPolicy): Respond =>
  (page, language, { frameOrigins = [], goesOnTo } = {}) => {
    const policy = { language, directives: directivesOf(frameOrigins), openerPolicy }
    const response = htmlResponse(pageStatuses[page.kind], render(page, language), policy)
    return goesOnTo === undefined
      ? response
      : { ...response, headers: { ...response.headers, Refresh: `${secondsOfFrames}; url=${goesOnTo}` } }
  }

/** RFC 6585 §4, for an end-user. */
export const tooManyPage = (page: HttpResponse, refusal: Omit<TooManyRequests, 'error'>): HttpResponse => ({
  ...tooMany(refusal, page),
  refusal: { error: 'too_many_requests' },
})

/** The store cannot answer: nothing happened, and the end-user may try again. */
export const unavailablePage = (page: HttpResponse, { detail }: Unavailable): HttpResponse => ({
  ...page,
  headers: { ...page.headers, 'Retry-After': '1' },
  detail,
})

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

/** What the front page says of the service: its metadata, and the paths at which it has pages. */
type Described = {
  readonly metadata: () => Readonly<Record<string, unknown>>
  readonly exists: (path: string) => boolean
}

const homeOf = ({ basePath, registration, logout }: HttpSettings, { metadata, exists }: Described): Home => {
  const { issuer } = registration
  const link = (path: string | undefined): string | undefined =>
    path !== undefined && exists(`${basePath}${path}`) ? `${issuer}${path}` : undefined
  return {
    kind: 'home',
    issuer,
    metadata: `${issuer}/.well-known/openid-configuration`,
    keySet: `${issuer}/jwks.json`,
    endpoints: Object.entries(metadata()).flatMap(([name, uri]) =>
      name.endsWith('_endpoint') && typeof uri === 'string' ? [{ name, uri }] : [],
    ),
    reference: link('/reference'),
    rules: link('/rules'),
    playground: link('/playground'),
    // The console may be on the management port alone, which has another origin than the issuer.
    console: exists(`${basePath}/console`) ? `${basePath}/console` : undefined,
    consents: link('/consents'),
    logout: link(logout.path),
  }
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/**
 * Pages for browsers at the base URL, at unknown paths, and where a token is missing. Other clients receive JSON, and the
 * empty 404.
 */
type BrowserPages = {
  /** Where no route answers; undefined where the client does not prefer HTML. */
  readonly unrouted: (received: ReceivedRequest) => HttpResponse | undefined
  /** The page in place of the JSON of a 401 or 403, or else the response. */
  readonly refused: (received: ReceivedRequest, response: HttpResponse) => HttpResponse
  /** For an operator who signs in with tokens that are not valid. */
  readonly tooMany: (received: ReceivedRequest, refusal: TooManyRequests) => HttpResponse
}

const tokenRefusals: ReadonlyArray<number> = [refusalStatuses.missing_token, refusalStatuses.insufficient_scope]

export const createBrowserPages = (
  settings: HttpSettings,
  ports: { readonly renderPage: PageRenderer },
  described: Described,
): BrowserPages => {
  const respond = pageResponse(ports.renderPage)
  const { issuer } = settings.registration
  // A start does not wait for it.
  let home: Home | undefined
  const homePage = (): Home => (home ??= homeOf(settings, described))
  const forPrograms = okResponse({
    issuer,
    openid_configuration: `${issuer}/.well-known/openid-configuration`,
    jwks_uri: `${issuer}/jwks.json`,
  })
  const bases = [settings.basePath, `${settings.basePath}/`]
  const isPage = ({ method, headers }: ReceivedRequest): boolean => isRead(method) && prefersHtml(headers.accept)
  const pageFor = (page: ShownPage, { headers }: ReceivedRequest): HttpResponse =>
    respond(page, chooseLanguage(undefined, headers['accept-language']))
  return {
    unrouted: (received) => {
      const isHome = bases.includes(received.path) && isRead(received.method)
      if (isPage(received)) return pageFor(isHome ? homePage() : { kind: 'not_found' }, received)
      return isHome ? forPrograms : undefined
    },
    // RFC 9110 §15.5.2: the challenge stays.
    refused: (received, response) => {
      const { status, headers, body } = response
      if (!tokenRefusals.includes(status) || body.kind !== 'json' || !isPage(received)) return response
      const page = pageFor({ kind: 'needs_token' }, received)
      return { ...response, headers: { ...headers, ...page.headers }, body: page.body }
    },
    tooMany: (received, refusal) => tooManyPage(pageFor({ kind: 'too_many_requests' }, received), refusal),
  }
}

export type InvalidAuthorizationRequest = {
  /** RFC 6749 §4.1.2.1 */
  readonly error: string
  readonly error_description?: string | undefined
  /** The client, where the request names a registered one. */
  readonly client?: RegisteredClient | undefined
  readonly uiLocales?: string | undefined
  readonly acceptLanguage?: string | undefined
}

export type ErrorPage = { readonly status: number; readonly headers: ResponseHeaders; readonly html: string }

const maxCharacters = 300

// RFC 6749 §4.1.2.1: the characters of both texts
const plain = (text: string): string => text.replace(/[^\x20\x21\x23-\x5B\x5D-\x7E]/g, ' ').slice(0, maxCharacters)

type RequestError = Extract<ShownPage, { readonly kind: 'request_error' }>

// The authorization server hands over texts alone.
const pageOf = (
  { error, description, back }: Omit<RequestError, 'kind'>,
  approval: RegisteredClient['approval'],
): ShownPage => {
  if (error === 'too_many_requests') return { kind: 'too_many_requests' }
  if (description === withdrawnTexts.suspended) return { kind: 'application_suspended', error, description }
  if (description === withdrawnTexts.pending) return { kind: 'application_pending', error, description }
  return description === withdrawnTexts.refused && approval?.state === 'refused'
    ? { kind: 'application_refused', error, description, reason: approval.reason }
    : { kind: 'request_error', error, description, back }
}

/**
 * The page for a request that the authorization server must not answer by a redirect (RFC 6749 §4.1.2.1): HTML, whatever
 * else the request is.
 */
export const createRequestErrorPage =
  (render: PageRenderer) =>
  ({ error, error_description, client, uiLocales, acceptLanguage }: InvalidAuthorizationRequest): ErrorPage => {
    const language = chooseLanguage(uiLocales, acceptLanguage)
    // No page leads to an application without an approval.
    const uri = client === undefined || client.approval !== undefined ? undefined : clientLink(client)
    const back =
      client === undefined || uri === undefined
        ? undefined
        : { application: shownApplication(language)(client, uri), uri }
    const description = error_description === undefined ? undefined : plain(error_description)
    const page = pageOf({ error: plain(error), description, back }, client?.approval)
    const { status, headers, body } = pageResponse(render)(page, language)
    return {
      status,
      headers: { ...headers, 'Cache-Control': 'no-store' },
      html: body.kind === 'text' ? body.text : '',
    }
  }
