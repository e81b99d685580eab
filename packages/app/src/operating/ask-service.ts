import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
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

type Requested = Required<Omit<Asking, 'ifMatch'>> & {
  readonly ifMatch: string | undefined
  readonly access: ServiceAccess
  readonly path: string
  readonly body: string | undefined
}

// Only the wait for the beginning of the response is limited: a long list may take longer.
const answered = ({ access, path, method, timeLimit, ifMatch, body }: Requested): Promise<Response> =>
  new Promise((resolve, reject) => {
    const { token } = access
    const headers = {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    }
    const options = { method, headers, agent: false as const }
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

/** The answer of the running service, or the reason why there is none. */
export const askService = (
  access: ServiceAccess,
  path: string,
  json?: object,
  { method = json === undefined ? 'GET' : 'POST', timeLimit = defaultTimeLimit, ifMatch }: Asking = {},
): TE.TaskEither<string, Response> =>
  pipe(
    TE.tryCatch(
      () => {
        const body = json === undefined ? undefined : JSON.stringify(json)
        return answered({ access, path, method, timeLimit, ifMatch, body })
      },
      () =>
        `the running service cannot be reached at ${'socket' in access ? access.socket : access.url}: try again, or see its log`,
    ),
  )
