import { invalidRequest } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import type { HttpRequest, RequestBody } from './request.js'

// RFC 8941 §3.3.3: a string is printable ASCII in quotation marks. Many programs leave these out, and such a key is taken
// as the same one. RFC 9110 §5.3: a repeated field is a list with commas.
const quotedKey = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/
const bareKey = /^[\x21\x23-\x2b\x2d-\x7e]+$/

const maxLength = 255
/** 128 bits in base64url: without a credential, the key alone says who asks again. */
const minAnonymousLength = 22

const invalidKey = invalidRequest(
  `Idempotency-Key must be one string of 1 to ${maxLength} printable ASCII characters: send a random UUID in quotation marks`,
)
const guessableKey = invalidRequest(
  `Idempotency-Key without a token must have at least ${minAnonymousLength} characters: send a random UUID in quotation marks`,
)

const keyIn = (field: string): string | undefined => {
  const text = field.trim()
  const quoted = quotedKey.exec(text)?.[1]?.replace(/\\(.)/g, '$1')
  const key = quoted ?? (bareKey.test(text) ? text : '')
  return key === '' || key.length > maxLength ? undefined : key
}

export type KeyAndBody = { readonly idempotencyKey: string | undefined; readonly body: RequestBody }

/**
 * draft-ietf-httpapi-idempotency-key-header-07 §2.1. An invalid key is a fault of the request, which only an authorized
 * requester is told.
 */
export const readIdempotencyKey = ({ headers, credential, body }: HttpRequest): KeyAndBody => {
  const field = headers['idempotency-key']
  if (field === undefined) return { idempotencyKey: undefined, body }
  const idempotencyKey = keyIn(field)
  if (idempotencyKey === undefined) return { idempotencyKey, body: E.left(invalidKey) }
  return credential.kind === 'none' && idempotencyKey.length < minAnonymousLength
    ? { idempotencyKey: undefined, body: E.left(guessableKey) }
    : { idempotencyKey, body }
}
