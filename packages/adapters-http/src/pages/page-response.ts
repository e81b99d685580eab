// A page as a response, with its status and the headers that restrict it.
import type { TooManyRequests, Unavailable } from '@clientele/domain/kernel'
import { tooMany } from '../http/error-response.js'
import type { HttpResponse } from '../http/response.js'
import { refusalStatuses } from '../http/statuses.js'
import type { Language } from './messages/languages.js'
import type { PageRenderer, ShownPage } from './page.js'

/** The statuses of the pages for browsers. */
const pageStatuses = {
  home: 200,
  dialog: 200,
  nobody: 200,
  signed_out: 200,
  still_signed_in: 200,
  login: 200,
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
  sign_in_unavailable: refusalStatuses.unavailable,
  needs_token: refusalStatuses.missing_token,
  gone: refusalStatuses.invalid_request,
  not_found: refusalStatuses.not_found,
  unavailable: refusalStatuses.unavailable,
} as const

export type PageHeaders = {
  /** Front-Channel Logout §3: the origins that the page may load in frames. */
  readonly frameOrigins?: ReadonlyArray<string>
  readonly setCookie?: string | undefined
  /** The URI that the browser opens some seconds after the page has loaded. */
  readonly goesOnTo?: string | undefined
}

// Time for the requests of the frames, and for reading the page.
const secondsOfFrames = 4

// No form-action: Chromium applies it to redirects too, so that the redirect to the application would fail.
const policyOf = (styleHash: string, frames: ReadonlyArray<string>): string =>
  [
    "default-src 'none'",
    `style-src '${styleHash}'`,
    'img-src data:',
    ...(frames.length === 0 ? [] : [`frame-src ${[...new Set(frames)].join(' ')}`]),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const optional = (name: string, value: string | undefined): Readonly<Record<string, string>> =>
  value === undefined ? {} : { [name]: value }

/** Renders a page as a response. */
export type Respond = (page: ShownPage, language: Language, given?: PageHeaders) => HttpResponse

export const pageResponse =
  (render: PageRenderer): Respond =>
  (page, language, given = {}) => {
    const { html, styleHash } = render(page, language)
    return {
      status: pageStatuses[page.kind],
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Language': language,
        'Content-Security-Policy': policyOf(styleHash, given.frameOrigins ?? []),
        'X-Frame-Options': 'DENY',
        // Hides the page, its frames and their number from a site that opened it in a window.
        'Cross-Origin-Opener-Policy': 'same-origin',
        // The address of the page contains an ID token.
        'Referrer-Policy': 'no-referrer',
        ...optional('Set-Cookie', given.setCookie),
        ...optional('Refresh', given.goesOnTo === undefined ? undefined : `${secondsOfFrames}; url=${given.goesOnTo}`),
      },
      body: { kind: 'text', text: html },
    }
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
