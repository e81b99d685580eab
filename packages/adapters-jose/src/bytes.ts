// Conversions of bytes and text by web standards.
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'

const encoder = new TextEncoder()

export const utf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text)

/** RFC 4648 §5, without padding. */
export const base64url = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** None for a text that `base64url` does not produce. */
export const fromBase64url = (text: string): O.Option<Uint8Array<ArrayBuffer>> =>
  pipe(
    O.tryCatch(() => atob(text.replaceAll('-', '+').replaceAll('_', '/'))),
    O.map((octets) => Uint8Array.from(octets, (octet) => octet.charCodeAt(0))),
    O.filter((bytes) => base64url(bytes) === text),
  )
