// Requests as a browser sends them to the pages of login and consent.
import * as E from 'fp-ts/lib/Either.js'
import type { Handler } from '../../src/routes/route.js'
import type { HttpRequest } from '../../src/http/request.js'
import type { HttpResponse } from '../../src/http/response.js'
import { httpRequest } from './http-request.js'
import { browser } from './sign-in.js'

export const html = ({ body }: HttpResponse): string => (body.kind === 'text' ? body.text : '')

/** The hidden fields of the first form of a page. */
export const hiddenFields = (response: HttpResponse): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...html(response).matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  )

type Given = {
  readonly id?: string
  readonly cookie?: string
  readonly site?: string | undefined
  readonly query?: HttpRequest['query']
}

const headersOf = ({ cookie = browser, site = 'same-origin' }: Given): HttpRequest['headers'] => ({
  cookie,
  'sec-fetch-site': site,
})

export const open = async (handler: Handler, given: Given = {}): Promise<HttpResponse> =>
  handler(httpRequest({ id: given.id ?? 'interaction-1', headers: headersOf(given), query: given.query ?? {} }))

export const submit = async (
  handler: Handler,
  fields: Readonly<Record<string, string>>,
  given: Given = {},
): Promise<HttpResponse> =>
  handler(
    httpRequest({
      method: 'POST',
      id: given.id ?? 'interaction-1',
      headers: headersOf(given),
      query: given.query ?? {},
      body: E.right(Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [value]]))),
    }),
  )
