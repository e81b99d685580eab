// Requests of management: how they are sent to a running service, and how their answers are read.
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type IncomingMessage, request } from 'node:http'
import { request as requestByTls } from 'node:https'
import { Readable } from 'node:stream'
import { isoTime, printable } from '../text.js'

/** The socket of the running service, whose file permissions stand in for a token; or its URL, which needs one. */
export type ServiceAccess = ({ readonly socket: string } | { readonly url: string }) & {
  readonly token?: string | undefined
}

const defaultTimeLimit = 15_000

export type Asking = {
  /** By default, GET without a body and POST with one. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Milliseconds until the response begins; 15 seconds by default. */
  readonly timeLimit?: number
  /** The entity tag of the version that is to be changed. */
  readonly ifMatch?: string | undefined
}

/** Sends a request of management, and answers with the response; a refusal to send it is one line for the operator. */
export type Ask = (path: string, json?: object, asking?: Asking) => TE.TaskEither<string, Response>

// The constructor of Response refuses a body for these statuses.
const bodyless = [204, 205, 304]

const responseOf = (incoming: IncomingMessage): Response => {
  const status = incoming.statusCode ?? 0
  const { etag } = incoming.headers
  const headers = etag === undefined ? {} : { ETag: etag }
  return new Response(bodyless.includes(status) ? null : Readable.toWeb(incoming), { status, headers })
}

const sentFor = (json: object | undefined, { method, ifMatch }: Asking) => ({
  method: method ?? (json === undefined ? 'GET' : 'POST'),
  headers: {
    ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
  },
  body: json === undefined ? null : JSON.stringify(json),
})

/** The request for a handler in this process. */
export const requestOf = (path: string, json?: object, asking: Asking = {}): Request =>
  new Request(`http://localhost${path}`, sentFor(json, asking))

/** Whether it only says what would be done, or counts. */
const isDry = (path: string, json: object = {}): boolean =>
  path.includes('?dry_run=true') || ('dry_run' in json && json.dry_run === true)

/** Asks the running service. Only the wait for the beginning of the response is limited: a long list may take longer. */
export const askService =
  (access: ServiceAccess): Ask =>
  (path, json, asking = {}) => {
    const { body, method, headers: described } = sentFor(json, asking)
    const headers = { ...described, ...(access.token === undefined ? {} : { Authorization: `Bearer ${access.token}` }) }
    const options = { method, headers, agent: false as const }
    const isTls = 'url' in access && access.url.startsWith('https:')
    const sent = () =>
      'socket' in access
        ? request({ ...options, socketPath: access.socket, path })
        : (isTls ? requestByTls : request)(`${access.url}${path}`, options)
    let isConnected = false
    let wasWritten = false
    return TE.tryCatch(
      () =>
        new Promise((resolve, reject) => {
          const asked = sent()
          const patience = setTimeout(() => asked.destroy(new Error('no answer')), asking.timeLimit ?? defaultTimeLimit)
          asked
            .on('close', () => clearTimeout(patience))
            .on('error', reject)
            // What is written before the handshake of TLS is sent after it.
            .on('socket', (socket) => socket.once(isTls ? 'secureConnect' : 'connect', () => (isConnected = true)))
            .on('finish', () => (wasWritten = true))
            .on('response', (incoming) => {
              clearTimeout(patience)
              resolve(responseOf(incoming))
            })
            .end(body ?? undefined)
        }),
      (error) => {
        const reason = printable(error instanceof Error ? error.message : String(error))
        const place = `${'socket' in access ? access.socket : access.url} (${reason})`
        return isConnected && wasWritten && method !== 'GET' && !isDry(path, json)
          ? `no answer came from the running service at ${place}, which may have done what was asked: look, before you try again`
          : `the running service cannot be reached at ${place}: try again, or see its log`
      },
    )
  }

// A refusal, from the service or from the domain.
const Refused = t.intersection([
  t.type({ error_description: t.string }),
  t.partial({
    known: t.array(t.string),
    faults: t.array(t.string),
    errors: t.array(t.type({ pointer: t.string, description: t.string })),
    signs_from: t.number,
  }),
])

const listed = (title: string, values: ReadonlyArray<string> = []): ReadonlyArray<string> =>
  values.length === 0 ? [] : [`${title}:`, ...values.map((value) => `  ${printable(value)}`)]

/** A refusal in words for people, or else the other text. */
export const refusalText = (refusal: unknown, otherwise: string): string => {
  if (!Refused.is(refusal)) return otherwise
  const { error_description, known, faults, errors = [], signs_from } = refusal
  const further = errors.length === 1 ? [] : errors.map(({ pointer, description }) => `${pointer}  ${description}`)
  return [
    printable(error_description),
    ...listed('There are', known),
    ...listed('Wrong in it', faults),
    ...listed('All faults', further),
    ...(signs_from === undefined ? [] : [`It takes over at ${isoTime(signs_from)}`]),
  ].join('\n')
}

/** The decoded answer of the running service; or its refusal, or the other text for a 404. */
export const readAnswer =
  <A>(codec: t.Decoder<unknown, A>, notFound?: string) =>
  (response: Response): TE.TaskEither<string, A> =>
    pipe(
      TE.tryCatch(
        async (): Promise<unknown> => JSON.parse((await response.text()) || 'null'),
        () => `the running service answered ${response.status}, and no JSON`,
      ),
      TE.flatMapEither((body) => {
        const answer = response.ok ? codec.decode(body) : undefined
        if (answer !== undefined && E.isRight(answer)) return answer
        const unknown = response.status === 404 ? notFound : undefined
        const remedy = response.status === 503 ? ': try again' : ''
        return E.left(refusalText(body, unknown ?? `the running service answered ${response.status}${remedy}`))
      }),
    )

/** The same, for an answer that is read while it arrives. */
export const streamOf = (response: Response): TE.TaskEither<string, Response> =>
  response.ok ? TE.right(response) : readAnswer(t.never)(response)
