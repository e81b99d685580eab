// OpenID Core §3.1.2.1: an authorization request may come by POST.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { EnginePorts } from './ports.js'
import { endpoints } from './routes.js'

/** What the request target of the GET request has room for, beside the header fields. */
const maxForm = 8_192

const read = async (request: IncomingMessage): Promise<string | undefined> => {
  let form = ''
  // The connection stays, for the answer.
  for await (const chunk of request.setEncoding('latin1').iterator({ destroyOnReturn: false })) {
    form += String(chunk)
    if (form.length > maxForm) return undefined
  }
  return form
}

// The browser may go away in the middle of the form.
const formIn = (request: IncomingMessage): Promise<string | undefined> => read(request).catch(() => undefined)

const isForm = ({ headers }: IncomingMessage): boolean =>
  /^application\/x-www-form-urlencoded *(?:;|$)/i.test(headers['content-type'] ?? '')

/** Whether it is such a request; the path is below the base URL. */
export const isPosted = ({ method, url = '' }: IncomingMessage): boolean =>
  method === 'POST' && url.split('?')[0] === endpoints.authorization

/**
 * Sends the browser to the same request by GET (RFC 9110 §15.4.4): the cookies of a session are SameSite=Lax, so that
 * they do not come with a POST request from another site.
 */
export const redirectPosted = async (
  issuer: string,
  { discardRest }: Pick<EnginePorts, 'discardRest'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const form = isForm(request) ? await formIn(request) : ''
  if (form === undefined) {
    await discardRest(request)
    response.writeHead(413, { Connection: 'close' }).end()
    return
  }
  const query = new URLSearchParams(form).toString()
  response
    .writeHead(303, { 'Cache-Control': 'no-store', Location: `${issuer}${endpoints.authorization}?${query}` })
    .end()
}
