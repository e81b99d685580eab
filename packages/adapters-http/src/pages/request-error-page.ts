// The page for a request that the authorization server must not answer by a redirect: RFC 6749 §4.1.2.1.
import { withdrawnTexts } from '@clientele/domain/life-cycle'
import { shownApplication } from '@clientele/domain/logout'
import { clientLink } from '@clientele/domain/provider'
import type { RegisteredClient } from '@clientele/domain/registration'
import type { ResponseHeaders } from '../http/response.js'
import { chooseLanguage } from './choose-language.js'
import { pageResponse } from './page-response.js'
import type { PageRenderer, ShownPage } from './page.js'

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
const pageOf = ({ error, description, back }: Omit<RequestError, 'kind'>): ShownPage => {
  if (error === 'too_many_requests') return { kind: 'too_many_requests' }
  return description === withdrawnTexts.suspended
    ? { kind: 'application_suspended', error, description }
    : { kind: 'request_error', error, description, back }
}

/** For the authorization server: the page is HTML, whatever else the request is. */
export const createRequestErrorPage =
  (render: PageRenderer) =>
  ({ error, error_description, client, uiLocales, acceptLanguage }: InvalidAuthorizationRequest): ErrorPage => {
    const language = chooseLanguage(uiLocales, acceptLanguage)
    const uri = client === undefined ? undefined : clientLink(client)
    const back =
      client === undefined || uri === undefined
        ? undefined
        : { application: shownApplication(language)(client, uri), uri }
    const description = error_description === undefined ? undefined : plain(error_description)
    const page = pageOf({ error: plain(error), description, back })
    const { status, headers, body } = pageResponse(render)(page, language)
    return {
      status,
      headers: { ...headers, 'Cache-Control': 'no-store' },
      html: body.kind === 'text' ? body.text : '',
    }
  }
