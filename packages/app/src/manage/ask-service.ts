import * as TE from 'fp-ts/lib/TaskEither.js'
import { type IncomingMessage, request } from 'node:http'
import { request as requestByTls } from 'node:https'
import { Readable } from 'node:stream'

/** The socket of the running service, whose file permissions stand in for a token; or its URL, which needs one. */
export type ServiceAccess = ({ readonly socket: string } | { readonly url: string }) & {
  readonly token?: string | undefined
}

const defaultTimeLimit = 15_000

export type Asking = {
  /** By default, GET without a body and POST with one. */
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Milliseconds until the response begins; 15 seconds by default. */
  readonly timeLimit?: number
  /** The entity tag of the version that is to be changed. */
  readonly ifMatch?: string | undefined
}

// The constructor of Response refuses a body for these statuses.
const bodyless = [204, 205, 304]

const responseOf = (incoming: IncomingMessage): Response => {
  const status = incoming.statusCode ?? 0
  const { etag } = incoming.headers
  const headers = etag === undefined ? {} : { ETag: etag }
  return new Response(bodyless.includes(status) ? null : Readable.toWeb(incoming), { status, headers })
}

type Sent = { readonly method: string; readonly headers: Record<string, string>; readonly body: string | undefined }

const sentFor = (json: object | undefined, { method, ifMatch }: Asking): Sent => ({
  method: method ?? (json === undefined ? 'GET' : 'POST'),
  headers: {
    ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
  },
  body: json === undefined ? undefined : JSON.stringify(json),
})

/** The same request for a handler in this process. */
export const requestOf = (path: string, json?: object, asking: Asking = {}): Request => {
  const { body = null, ...sent } = sentFor(json, asking)
  return new Request(`http://localhost${path}`, { ...sent, body })
}

// Only the wait for the beginning of the response is limited: a long list may take longer.
const answered = (access: ServiceAccess, path: string, { body, ...sent }: Sent, timeLimit: number): Promise<Response> =>
  new Promise((resolve, reject) => {
    const { token } = access
    const headers = { ...sent.headers, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) }
    const options = { method: sent.method, headers, agent: false as const }
    const asking =
      'socket' in access
        ? request({ ...options, socketPath: access.socket, path })
        : (access.url.startsWith('https:') ? requestByTls : request)(`${access.url}${path}`, options)
    const patience = setTimeout(() => asking.destroy(new Error('no answer')), timeLimit)
    asking
      .on('close', () => clearTimeout(patience))
      .on('error', reject)
      .on('response', (incoming) => {
        clearTimeout(patience)
        resolve(responseOf(incoming))
      })
      .end(body)
  })

/** Sends a request of management, and answers with the response; a refusal to send it is one line for the operator. */
export type Ask = (path: string, json?: object, asking?: Asking) => TE.TaskEither<string, Response>

/** Asks the running service. */
export const askService =
  (access: ServiceAccess): Ask =>
  (path, json, asking = {}) =>
    TE.tryCatch(
      () => answered(access, path, sentFor(json, asking), asking.timeLimit ?? defaultTimeLimit),
      () =>
        `the running service cannot be reached at ${'socket' in access ? access.socket : access.url}: try again, or see its log`,
    )
