import * as E from 'fp-ts/lib/Either.js'
import type { Handler } from '../../src/http/handler.js'
import type { HttpRequest } from '../../src/http/request.js'
import type { HttpResponse } from '../../src/http/response.js'
import type { HttpPorts, HttpSettings } from '../../src/settings.js'
import { httpSettings } from './in-memory-ports.js'

type Given = Partial<HttpRequest> & { readonly token?: string; readonly json?: unknown; readonly id?: string }

export const httpRequest = ({ token, json, id, ...given }: Given = {}): HttpRequest => ({
  method: 'GET',
  params: id === undefined ? {} : { id },
  query: {},
  ifNoneMatch: undefined,
  headers: {},
  remoteAddress: undefined,
  authorization: token === undefined ? [] : [`Bearer ${token}`],
  body: E.right(json),
  ...given,
})

export type Ask = (given?: Given) => Promise<HttpResponse>

/** The handler without any socket. */
export const asking =
  (make: (settings: HttpSettings, ports: HttpPorts) => Handler, ports: HttpPorts, settings = httpSettings()): Ask =>
  (given) =>
    make(settings, ports)(httpRequest(given))()

export type Members = Readonly<Record<string, unknown>>

/** The members of a JSON answer, as a reader on the other side would have them. */
export const membersOf = ({ body }: HttpResponse): Members => {
  if (body.kind !== 'json' && body.kind !== 'text') throw new Error(`the answer is ${body.kind}, not JSON`)
  const text = body.kind === 'json' ? JSON.stringify(body.value) : body.text
  const parsed: unknown = JSON.parse(text)
  return Object.fromEntries(Object.entries(parsed ?? {}))
}

export const textOf = async ({ body }: HttpResponse): Promise<string> => {
  if (body.kind !== 'stream') throw new Error(`the answer is ${body.kind}, not a stream`)
  const chunks: string[] = []
  for await (const chunk of body.chunks) chunks.push(chunk)
  return chunks.join('')
}

export const redirect_uris = ['https://rp.example/callback']

export const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }
