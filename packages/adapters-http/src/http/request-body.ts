import type { InvalidRequest } from '@clientele/domain'
import { invalidRequest, parseWellFormedJson } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { valuesOf } from './url-encoded.js'

// RFC 9110 §8.3.1: type, subtype and charset in any case; RFC 8259 §8.1: JSON is UTF-8. No two runs of blanks can meet, because
// the ways to part them would be too many to try.
const jsonType = /^application\/json[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?(?:;[ \t]*)?$/i

export const isJsonType = (contentType: string | undefined): boolean => jsonType.test(contentType ?? '')

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const decodeUtf8 = (bytes: Uint8Array): E.Either<InvalidRequest, string> =>
  E.tryCatch(
    () => strictUtf8.decode(bytes),
    () => invalidRequest('The body is not well-formed UTF-8'),
  )

/** The body as JSON that every reader understands alike, or why it is not. */
export const readJsonBody = (contentType: string | undefined, bytes: Uint8Array): E.Either<InvalidRequest, unknown> => {
  if (!isJsonType(contentType)) return E.left(invalidRequest('The Content-Type must be application/json in UTF-8'))
  if (bytes.length === 0) return E.left(invalidRequest('The body is empty: send a JSON object'))
  return pipe(decodeUtf8(bytes), E.flatMap(parseWellFormedJson))
}

const formType = /^application\/x-www-form-urlencoded[ \t]*(?:;.*)?$/i

export const isFormType = (contentType: string | undefined): boolean => formType.test(contentType ?? '')

// URL Standard §5.1: what is not well-formed is replaced, and no byte order mark is taken away
const lenientUtf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** Every value of each field of a form, so that a repeated one stays visible. */
export const readFormBody = (
  contentType: string | undefined,
  bytes: Uint8Array,
): E.Either<InvalidRequest, Readonly<Record<string, ReadonlyArray<string>>>> => {
  if (!isFormType(contentType)) return E.left(invalidRequest('The body must be a form'))
  return E.right(valuesOf(lenientUtf8.decode(bytes)))
}
