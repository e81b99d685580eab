// The bytes of a request's body, with the limit and the refusals of the other shell, whose library counts for it.
import * as E from 'fp-ts/lib/Either.js'
import type { UnreadBody } from './serve/incoming.js'
import { mostBodyBytes } from './serve/incoming.js'

type Bytes = E.Either<UnreadBody, Uint8Array>
type Reader = ReadableStreamDefaultReader<Uint8Array>

const firstLength = 1_024

// Because nobody says in how many pieces a body comes, no piece is kept: one of a byte takes a hundred.
const withRoom = (bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> => {
  if (length <= bytes.length) return bytes
  const larger = new Uint8Array(Math.max(length, 2 * bytes.length))
  larger.set(bytes)
  return larger
}

const readAll = async (reader: Reader): Promise<Bytes> => {
  let [bytes, length] = [new Uint8Array(firstLength), 0]
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return E.right(bytes.subarray(0, length))
    const before = length
    length += value.length
    if (length > mostBodyBytes) return E.left('too_large')
    bytes = withRoom(bytes, length)
    bytes.set(value, before)
  }
}

const readWhole = async (reader: Reader): Promise<Bytes> => {
  try {
    return await readAll(reader)
  } catch {
    return E.left('ended_early')
  }
}

// What the host does with the rest is its own affair, and so is whether that works.
const leave = (source: Pick<Reader, 'cancel'>): void => void source.cancel().catch(() => undefined)

/** Nothing is read on, once it is known to be too much. */
export const readBytes = async ({ headers, body }: Request): Promise<Bytes> => {
  if (body === null) return E.right(new Uint8Array())
  const declared = headers.get('content-length')
  if (Number(declared) > mostBodyBytes) {
    leave(body)
    return E.left('too_large')
  }
  const reader = body.getReader()
  const bytes = await readWhole(reader)
  if (E.isLeft(bytes)) leave(reader)
  else if (declared !== null && bytes.right.length !== Number(declared)) return E.left('ended_early')
  return bytes
}
