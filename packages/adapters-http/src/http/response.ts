/** Why a request was refused, by codes alone: what was sent stands in none of them. */
export type ToldRefusal = {
  readonly error: string
  /** The rules that the body breaks, each once. */
  readonly rules?: ReadonlyArray<string>
  /** The client that the refused request is about, where that is known to exist. */
  readonly client_id?: string
}

/** A response as a value. `detail`, `reason` and `refusal` go to the log and never to the wire. */
export type HttpResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: ResponseBody
  readonly detail?: unknown
  readonly reason?: string
  readonly refusal?: ToldRefusal
}

export type ResponseBody =
  | { readonly kind: 'empty' }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'stream'; readonly chunks: AsyncIterable<string> }

export const emptyResponse = (status: number, headers: Readonly<Record<string, string>> = {}): HttpResponse => ({
  status,
  headers,
  body: { kind: 'empty' },
})

export const jsonResponse = (
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => ({
  status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: { kind: 'json', value },
})

// RFC 7591 §3.2.1, RFC 6749 §5.1: what holds a credential is not stored
export const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }

/** The same response with further headers. A spread to which members are added takes ten times as long as Object.assign. */
export const withHeaders = <Response extends HttpResponse>(
  response: Response,
  more: HttpResponse['headers'],
  others: HttpResponse['headers'] = {},
): Response => Object.assign({}, response, { headers: Object.assign({}, response.headers, more, others) })

export const notStored = (response: HttpResponse): HttpResponse => withHeaders(response, noStore)
