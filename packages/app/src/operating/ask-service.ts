import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'

/** The socket of the running service; its file permissions stand in for a token. */
export type ServiceAccess = { readonly socket: string }

const defaultTimeLimit = 15_000

export type Asking = {
  /** By default, GET without a body and POST with one. */
  readonly method?: 'GET' | 'POST' | 'DELETE'
  /** Milliseconds until the response begins; 15 seconds by default. */
  readonly timeLimit?: number
}

// The constructor of Response refuses a body for these statuses.
const bodyless = [204, 205, 304]

const responseOf = (incoming: IncomingMessage): Response => {
  const status = incoming.statusCode ?? 0
  return new Response(bodyless.includes(status) ? null : Readable.toWeb(incoming), { status })
}

type Requested = Required<Asking> & {
  readonly socketPath: string
  readonly path: string
  readonly body: string | undefined
}

// Only the wait for the beginning of the response is limited: a long list may take longer.
const answered = ({ timeLimit, body, ...where }: Requested): Promise<Response> =>
  new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const asking = request({ ...where, headers, agent: false })
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
  { socket }: ServiceAccess,
  path: string,
  json?: object,
  { method = json === undefined ? 'GET' : 'POST', timeLimit = defaultTimeLimit }: Asking = {},
): TE.TaskEither<string, Response> =>
  pipe(
    TE.tryCatch(
      () => {
        const body = json === undefined ? undefined : JSON.stringify(json)
        return answered({ socketPath: socket, path, method, timeLimit, body })
      },
      () => `the running service cannot be reached at ${socket}: try again, or see its log`,
    ),
  )
