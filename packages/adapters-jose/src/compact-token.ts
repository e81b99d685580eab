// RFC 7515 §7.1, RFC 7516 §7.1: a token as sent, decoded as strictly as a body before any key is used.
import {
  type JsonObject,
  isJsonObject,
  isPlainObject,
  maxDepth,
  parseTokenJson,
  parseWellFormedJson,
} from '@clientele/domain/kernel'
import type { HintFault } from '@clientele/domain/logout'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import { base64url } from 'jose'

// RFC 7515 §2, RFC 4648 §3.5: without padding and without bits after the last byte, so that bytes have one encoding
const strict = /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/

/** Whether the text is the one base64url encoding of its bytes. */
export const isStrictBase64url = (text: string): boolean => strict.test(text)

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

type Json = Readonly<Record<string, unknown>>

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

/**
 * The JSON object in a part of a JWT whose claims are stored: read as strictly as a body, because JSON readers treat
 * repeated names and malformed text differently.
 */
export const strictJsonPart = (part: string | undefined): O.Option<JsonObject> =>
  pipe(
    O.tryCatch(() => strictUtf8.decode(base64url.decode(part ?? ''))),
    O.flatMap((text) => O.fromEither(parseWellFormedJson(text))),
    O.filter(isJsonObject(maxDepth)),
  )
