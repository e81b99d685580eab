import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:http'
import { Readable } from 'node:stream'

/** Where the running service is: the path of its socket. Whoever can open it needs no token. */
export type ServiceAccess = { readonly socket: string }

const timeLimit = 15_000

// Because a Response refuses a body where its status has none.
const bodyless = [204, 205, 304]

const responseOf = (incoming: IncomingMessage): Response => {
  const status = incoming.statusCode ?? 0
  return new Response(bodyless.includes(status) ? null : Readable.toWeb(incoming), { status })
}

// Only the wait for the answer is limited: a long list may take longer than any limit for its beginning.
const answered = (socketPath: string, path: string, body: string | undefined): Promise<Response> =>
  new Promise((resolve, reject) => {
    const [method, headers] = body === undefined ? ['GET', {}] : ['POST', { 'Content-Type': 'application/json' }]
    const asking = request({ socketPath, path, method, headers, agent: false })
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
export const askService = ({ socket }: ServiceAccess, path: string, json?: object): TE.TaskEither<string, Response> =>
  pipe(
    TE.tryCatch(
      () => answered(socket, path, json === undefined ? undefined : JSON.stringify(json)),
      () => `the running service cannot be reached at ${socket}: try again, or see its log`,
    ),
  )
