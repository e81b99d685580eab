import type { ResponseBody } from '../http/response.js'

export type Chunks = Extract<ResponseBody, { kind: 'stream' }>['chunks']

/** What is there as a whole; nothing where there is no content. */
export const textOf = (body: Exclude<ResponseBody, { kind: 'stream' }>): string | undefined => {
  switch (body.kind) {
    case 'empty':
      return undefined
    case 'json':
      return JSON.stringify(body.value)
    case 'text':
      return body.text
  }
}

/** RFC 9110 §8.6: where there can be no content, no length. */
export const lengthOf = (status: number, octets: number): Readonly<Record<string, string>> =>
  status === 204 || status === 304 ? {} : { 'Content-Length': String(octets) }

/** Ends a source that nobody reads; what it does then is for nobody. */
export const leave = (chunks: Chunks): void =>
  void Promise.resolve(chunks[Symbol.asyncIterator]().return?.()).catch(() => undefined)
