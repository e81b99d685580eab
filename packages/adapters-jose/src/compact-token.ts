// RFC 7515 §7.1, RFC 7516 §7.1: a token as sent, decoded as strictly as a body before any key is used.
import { isPlainObject, parseTokenJson } from '@clientele/domain/kernel'
import type { HintFault } from '@clientele/domain/logout'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { base64url } from 'jose'
import { isStrictBase64url } from './strict-base64url.js'

export type Json = Readonly<Record<string, unknown>>

export type CompactToken = {
  readonly text: string
  /** Three of a JWS, five of a JWE. */
  readonly segments: number
  readonly header: Json
  readonly typ: string | undefined
}

// The maximum length of a request header in Node; a token in a body need not be longer.
const maxCharacters = 16_384
const maxHeaderCharacters = 4_096

const malformed = (): HintFault => 'hint_malformed'
const tooLong = (): HintFault => 'hint_too_long'

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export const textOf = (bytes: Uint8Array): E.Either<HintFault, string> =>
  E.tryCatch(() => strictUtf8.decode(bytes), malformed)

/**
 * The bytes as a JSON object that every reader understands alike; inexact numbers are accepted, because they are not
 * stored.
 */
export const jsonObjectOf = (bytes: Uint8Array): E.Either<HintFault, Json> => {
  const text = textOf(bytes)
  if (E.isLeft(text)) return text
  const json = parseTokenJson(text.right)
  return E.isRight(json) && isPlainObject(json.right) ? E.right(json.right) : E.left(malformed())
}

const isKind = (typ: unknown): typ is string | undefined => typ === undefined || typeof typ === 'string'

const readHeader = (segment: string): E.Either<HintFault, Pick<CompactToken, 'header' | 'typ'>> => {
  const header = jsonObjectOf(base64url.decode(segment))
  if (E.isLeft(header)) return header
  const { typ } = header.right
  // RFC 7515 §4.1.11: no critical extension is supported
  return isKind(typ) && !Object.hasOwn(header.right, 'crit')
    ? E.right({ header: header.right, typ })
    : E.left(malformed())
}

/** The parts and the header of a token, not verified yet. */
export const readCompactToken = (text: string): E.Either<HintFault, CompactToken> => {
  if (text.length > maxCharacters) return E.left(tooLong())
  const segments = text.split('.', 6)
  if (segments.length !== 3 && segments.length !== 5) return E.left(malformed())
  const [first = ''] = segments
  if (first.length > maxHeaderCharacters) return E.left(tooLong())
  // One token has one encoding: other base64url spellings of the same bytes are refused.
  if (!segments.every(isStrictBase64url)) return E.left(malformed())
  return pipe(
    readHeader(first),
    E.map((header) => ({ text, segments: segments.length, ...header })),
  )
}
