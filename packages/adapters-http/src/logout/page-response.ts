// A page as a response: what a browser may do with it stands in the headers.
import type { HttpResponse } from '../http/response.js'
import type { LogoutPage } from './page.js'
import type { Language } from './messages/languages.js'
import type { PageRenderer } from './rendered-page.js'

export type PageHeaders = {
  /** Front-Channel Logout §3: the origins that the page may load in frames. */
  readonly frameOrigins?: ReadonlyArray<string>
  readonly setCookie?: string | undefined
  /** Where the browser goes by itself, some seconds after the page has loaded. */
  readonly goesOnTo?: string | undefined
}

// Long enough for the frames to be asked for, and to read the page.
const secondsOfFrames = 4

// No form-action: Chromium applies it to redirections too, and the end-user would never reach the application.
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
  (status: number, page: LogoutPage, language: Language, given: PageHeaders = {}): HttpResponse => {
    const { html, styleHash } = render(page, language)
    return {
      status,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Language': language,
        'Content-Security-Policy': policyOf(styleHash, given.frameOrigins ?? []),
        'X-Frame-Options': 'DENY',
        // So that a site that opened the page in a window sees nothing of it: neither its frames nor their number.
        'Cross-Origin-Opener-Policy': 'same-origin',
        // Because the address of the dialog holds an ID token.
        'Referrer-Policy': 'no-referrer',
        ...optional('Set-Cookie', given.setCookie),
        ...optional('Refresh', given.goesOnTo === undefined ? undefined : `${secondsOfFrames}; url=${given.goesOnTo}`),
      },
      body: { kind: 'text', text: html },
    }
  }
