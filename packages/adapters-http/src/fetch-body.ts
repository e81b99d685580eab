// Reads the body of a request, with the same limit and refusals as the library of the Koa shell.
import * as E from 'fp-ts/lib/Either.js'
import { type ReadBytes, type UnreadBody, maxBodyBytes } from './http/request.js'

type Bytes = E.Either<UnreadBody, Uint8Array>
type Reader = ReadableStreamDefaultReader<Uint8Array>

const firstLength = 1_024

// The client chooses the sizes of the pieces. They are copied, because a stored piece of one byte takes a hundred.
const withRoom = (bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> => {
  if (length <= bytes.length) return bytes
  const larger = new Uint8Array(Math.max(length, 2 * bytes.length))
  larger.set(bytes)
  return larger
}

const readAll = async (reader: Reader, maxLength: number): Promise<Bytes> => {
  let bytes = new Uint8Array(firstLength)
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return E.right(bytes.subarray(0, length))
    const before = length
    length += value.length
    if (length > maxLength) return E.left('too_large')
    bytes = withRoom(bytes, length)
    bytes.set(value, before)
  }
}

const readWhole = async (reader: Reader, maxLength: number): Promise<Bytes> => {
  try {
    return await readAll(reader, maxLength)
  } catch {
    return E.left('ended_early')
  }
}

// The host handles the rest of the body, and failures of it are ignored.
const cancel = (source: Pick<Reader, 'cancel'>): void => void source.cancel().catch(() => undefined)

/** Reading stops at the first byte above the maximum; a body that this process made has none. */
export const createReadBytes = (isOwn: boolean): ReadBytes<Request> => {
  const maxLength = isOwn ? Infinity : maxBodyBytes
  return async ({ headers, body }) => {
    if (body === null) return E.right(new Uint8Array())
    const declared = headers.get('content-length')
    if (Number(declared) > maxLength) {
      cancel(body)
      return E.left('too_large')
    }
    const reader = body.getReader()
    const bytes = await readWhole(reader, maxLength)
    if (E.isLeft(bytes)) cancel(reader)
    else if (declared !== null && bytes.right.length !== Number(declared)) return E.left('ended_early')
    return bytes
  }
}
