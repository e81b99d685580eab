import type { Unavailable } from '@clientele/domain/kernel'
import type { HttpResponse } from '../http/response.js'
import type { pageResponse } from './page-response.js'
import type { Language } from './messages/languages.js'

/** The store cannot answer: the session is unchanged, and the end-user may try again. */
export const unavailablePage = (
  respond: ReturnType<typeof pageResponse>,
  language: Language,
  { detail }: Unavailable,
  again: string,
): HttpResponse => {
  const response = respond({ kind: 'unavailable', again }, language)
  return { ...response, headers: { ...response.headers, 'Retry-After': '1' }, detail }
}
