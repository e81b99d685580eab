import type { Representation } from '@clientele/domain/registration'

/** Who sends a request, for its log entry: the kind of the credential, and the beginning of its keyed digest. */
export type Actor = {
  /** `token` is one that this request did not need to attribute apart, or that is unknown. */
  readonly kind:
    'master' | 'operator_token' | 'store' | 'initial_access_token' | 'registration_access_token' | 'client' | 'token'
  readonly fingerprint?: string
}

/** Why a request was refused, as codes that contain no input. */
export type ReportedRefusal = {
  readonly error: string
  /** The violated rules of the body, each once. */
  readonly rules?: ReadonlyArray<string>
  /** Where in the body, as JSON pointers (RFC 6901) of the first of them. */
  readonly pointers?: ReadonlyArray<string>
}

export type ResponseHeaders = Readonly<Record<string, string>>

/** A response as a value. `detail` and what follows it are for the log and never sent. */
export type HttpResponse = {
  readonly status: number
  /** The headers of this response; `serve/exchange.ts` adds those of every answer at its address. */
  readonly headers: ResponseHeaders
  /** RFC 6265 §3: Set-Cookie fields cannot be joined; `headers` has it where there is one. */
  readonly setCookies?: ReadonlyArray<string>
  readonly body: ResponseBody
  /** RFC 9112 §9.6: after an unread body, the connection cannot be reused. */
  readonly leavesBody?: true
  readonly detail?: unknown
  readonly reason?: string
  readonly refusal?: ReportedRefusal
  /** The client that the request is about, if it is known to exist. */
  readonly client_id?: string
  readonly actor?: Actor
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

/** RFC 9110 §8.8.3: a client, with the version that later requests can name. */
export const representationResponse = <Body>({ body, entityTag }: Representation<Body>): HttpResponse =>
  jsonResponse(200, body, { ETag: entityTag })

/** A JSON array that is sent while it is produced. */
export const streamedResponse = (chunks: Chunks): HttpResponse => ({
  status: 200,
  headers: { 'Content-Type': 'application/json' },
  body: { kind: 'stream', chunks },
})

/** Ends a source that is not read; its failures are ignored. */
export const cancel = (chunks: Chunks): void =>
  void Promise.resolve(chunks[Symbol.asyncIterator]().return?.()).catch(() => undefined)

/**
 * The same chunks. A failure is reported here, and the reader only learns that there was one: some hosts print or send
 * errors. Cancelling ends the source, even before the first chunk is read.
 */
export const reportingErrors = (chunks: Chunks, report: (detail: unknown) => void): AsyncIterableIterator<string> => {
  const source = chunks[Symbol.asyncIterator]()
  const itself: AsyncIterableIterator<string> = {
    next: async () => {
      try {
        return await source.next()
      } catch (detail) {
        report(detail)
        throw new Error('the answer breaks off')
      }
    },
    return: async () => {
      await source.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => itself,
  }
  return itself
}

const encoder = new TextEncoder()

export const utf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text)

/** RFC 4648 §5, without padding. */
export const base64url = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
