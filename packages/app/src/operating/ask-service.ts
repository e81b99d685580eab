import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'

/** Where the running service is: the path of its socket. Whoever can open it needs no token. */
export type ServiceAccess = { readonly socket: string }

const defaultTimeLimit = 15_000

export type Asking = {
  /** GET without a body and POST with one, where it is left out. */
  readonly method?: 'GET' | 'POST' | 'DELETE'
  /** Milliseconds until the answer begins; 15 seconds where it is left out. */
  readonly timeLimit?: number
}

// Because a Response refuses a body where its status has none.
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

// Only the wait for the answer is limited: a long list may take longer than any limit for its beginning.
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

/** What the running service answers, or that it cannot be asked. */
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
