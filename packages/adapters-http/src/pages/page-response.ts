// A page as a response, with the headers that restrict it.
import type { HttpResponse } from '../http/response.js'
import { pageStatuses } from './page-statuses.js'
import type { ShownPage } from './page.js'
import type { Language } from './messages/languages.js'
import type { PageRenderer } from './rendered-page.js'

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

export const pageResponse =
  (render: PageRenderer) =>
  (page: ShownPage, language: Language, given: PageHeaders = {}): HttpResponse => {
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
