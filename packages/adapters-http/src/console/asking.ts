// The console asks the routes of the operators in this process, as a command asks them over a socket: what an operator
// may do, and what is recorded of it, is decided there alone.
import * as E from 'fp-ts/lib/Either.js'
import type { HttpRequest, Query } from '../http/request.js'
import type { Chunks, HttpResponse } from '../http/response.js'
import { refusalStatuses } from '../statuses.js'
import { type Route, createFind } from '../routes/route.js'

/** The answer of a route: its JSON as a value, and the version of a client. */
export type Answered = {
  readonly status: number
  readonly body: unknown
  readonly entityTag: string | undefined
}

export type Asked = {
  readonly query?: Query
  readonly body?: unknown
  /** The entity tag of the version that is to be changed. */
  readonly ifMatch?: string | undefined
}

/** Asks a route of the operators, below the base URL, with the credential of the visit. */
export type Ask = (method: Route['method'], path: string, asked?: Asked) => Promise<Answered>

// A page cannot show more, and the service has other work for its memory.
const maxStreamed = 8_388_608

const tooLong: Answered = {
  status: 413,
  body: { error_description: 'The registry is too large for a page: clientele policy check looks at all of it' },
  entityTag: undefined,
}

const streamed = async (status: number, chunks: Chunks): Promise<Answered> => {
  let text = ''
  for await (const chunk of chunks) {
    if (text.length + chunk.length > maxStreamed) return tooLong
    text += chunk
  }
  return { status, body: JSON.parse(text), entityTag: undefined }
}

const answeredBy = async ({ status, headers, body }: HttpResponse): Promise<Answered> =>
  body.kind === 'stream'
    ? streamed(status, body.chunks)
    : { status, body: body.kind === 'json' ? body.value : undefined, entityTag: headers['ETag'] }

const noSuchRoute: Answered = { status: 404, body: undefined, entityTag: undefined }

type Asker = Pick<HttpRequest, 'credential' | 'origin' | 'remoteAddress'>

/** A change that was made, for the log and the metrics of the request whose page asked for it. */
export type Made = Pick<HttpResponse, 'asked' | 'client_id'>

export type Asking = (asker: Asker, made?: (change: Made) => void) => Ask

const madeBy = ({ method, path, ofClient }: Route, id: string, { client_id }: HttpResponse): Made => {
  const client = client_id ?? (ofClient ? id : undefined)
  return { asked: `${method} ${path}`, ...(client === undefined ? {} : { client_id: client }) }
}

/** Whether it only says what would be done, or counts: that is no change. */
const isDry = (query: Query, body: unknown): boolean =>
  query['dry_run']?.[0] === 'true' || memberOf(body, 'dry_run') === true

/** Makes `Ask` for whoever visits. */
export const askRoutes = (routes: ReadonlyArray<Route>, basePath: string): Asking => {
  const find = createFind(routes)
  return ({ credential, origin, remoteAddress }, made) =>
    async (method, path, { query = {}, body, ifMatch } = {}) => {
      // Probes ask for the health outside of the base URL.
      const address = path.startsWith('/health/') ? path : `${basePath}${path}`
      const found = find(method, address)
      if (found === undefined) return noSuchRoute
      const { route, id } = found
      const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch }
      const request = { method, headers, remoteAddress, id, query, body: E.right(body), credential, origin }
      const response = await route.handler(request)
      if (method !== 'GET' && response.status < 300 && !isDry(query, body)) made?.(madeBy(route, id, response))
      return answeredBy(response)
    }
}

/** A member of what a route answered; undefined where there is none. */
export const memberOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? Object.getOwnPropertyDescriptor(body, name)?.value : undefined

/** All members of what a route answered; none where it is no object. */
export const membersOf = (body: unknown): ReadonlyArray<readonly [string, unknown]> =>
  typeof body === 'object' && body !== null ? Object.entries(body) : []

export const textOf = (body: unknown, name: string): string | undefined => {
  const value = memberOf(body, name)
  return typeof value === 'string' ? value : undefined
}

export const numberOf = (body: unknown, name: string): number | undefined => {
  const value = memberOf(body, name)
  return typeof value === 'number' ? value : undefined
}

export const listOf = (body: unknown, name: string): ReadonlyArray<unknown> => {
  const value: unknown = memberOf(body, name)
  return Array.isArray(value) ? value : []
}

export const isDone = ({ status }: Answered): boolean => status < 300

/** A fault of what was sent, beside the member that has it, and the field of the form in which it was typed. */
export type ShownFault = { readonly member: string; readonly description: string; readonly field?: string }

/** A refusal, in the words of the route. */
export type ShownRefusal = {
  readonly status: number
  readonly description: string
  readonly faults: ReadonlyArray<ShownFault>
}

// The words of the route are about If-Match, which a page sends for its visitor.
const changedMeanwhile =
  'The client was changed since this page was shown, and nothing was done. Look at what is stored now, and repeat the change if you still want it.'

const textsByStatus: Readonly<Record<number, string>> = {
  404: 'There is nothing with this id: it may have been removed meanwhile',
  503: 'The store cannot answer now. Try again',
}

const shownFault = (fault: unknown): ShownFault => ({
  member: textOf(fault, 'pointer')?.split('/')[1] ?? '',
  description: textOf(fault, 'description') ?? '',
})

export const refusalOf = ({ status, body }: Answered): ShownRefusal | undefined =>
  status < 300
    ? undefined
    : {
        status,
        description:
          (status === refusalStatuses.precondition_failed ? changedMeanwhile : textOf(body, 'error_description')) ??
          textsByStatus[status] ??
          'The service could not do this: see its log',
        faults: listOf(body, 'errors').map(shownFault),
      }
