/** Why a request was refused, by codes alone: what was sent stands in none of them. */
export type ReportedRefusal = {
  readonly error: string
  /** The rules that the body breaks, each once. */
  readonly rules?: ReadonlyArray<string>
  /** The client that the refused request is about, where that is known to exist. */
  readonly client_id?: string
}

export type ResponseHeaders = Readonly<Record<string, string>>

/** A response as a value. `detail`, `reason` and `refusal` go to the log and never to the wire. */
export type HttpResponse = {
  readonly status: number
  /** Those of this response. What holds for every answer at its address is added by `serve/exchange.ts`. */
  readonly headers: ResponseHeaders
  readonly body: ResponseBody
  /** RFC 9112 §9.6: the rest of a body that was left unread cannot be told from the next request on its connection. */
  readonly leavesBody?: true
  readonly detail?: unknown
  readonly reason?: string
  readonly refusal?: ReportedRefusal
}

export type Chunks = AsyncIterable<string>

export type ResponseBody =
  | { readonly kind: 'empty' }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'stream'; readonly chunks: Chunks }

export const emptyResponse = (status: number, headers: ResponseHeaders = {}): HttpResponse => ({
  status,
  headers,
  body: { kind: 'empty' },
})

export const jsonResponse = (status: number, value: unknown, headers: ResponseHeaders = {}): HttpResponse => ({
  status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: { kind: 'json', value },
})

export const okResponse = (value: unknown): HttpResponse => jsonResponse(200, value)

export const noContent = (): HttpResponse => emptyResponse(204)

/** A JSON array that is sent while it is read. */
export const streamedResponse = (chunks: Chunks): HttpResponse => ({
  status: 200,
  headers: { 'Content-Type': 'application/json' },
  body: { kind: 'stream', chunks },
})
