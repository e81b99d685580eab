// What becomes of a body: which are read at all, and what a body is that cannot be read.
import { invalidRequest } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { TransportRefusal } from '../http/error-response.js'
import type { HttpRequest } from '../http/request.js'
import { isFormType, isJsonType, readFormBody, readJsonBody } from '../http/request-body.js'
import type { Route } from '../routes.js'
import type { Incoming, UnreadBody } from './incoming.js'

export type ReadBody = E.Either<TransportRefusal, HttpRequest['body']>

export const takesBody = ({ method }: Route): boolean => method === 'POST' || method === 'PUT'

/** RFC 9110 §8.4: a body that is coded otherwise is not taken. */
const isPlainEncoding = (encoding: string | undefined): boolean =>
  ['', 'identity'].includes((encoding ?? '').trim().toLowerCase())

const refusalOf = (unread: UnreadBody): ReadBody =>
  unread === 'too_large' ? E.left({ error: 'too_large' }) : E.right(E.left(invalidRequest('The body ended early')))

const nothing: E.Either<UnreadBody, Uint8Array> = E.right(new Uint8Array())

/** The body of a request to a route that takes one. */
export const readBody = async ({ takes }: Route, incoming: Incoming): Promise<ReadBody> => {
  if (!isPlainEncoding(incoming.field('content-encoding'))) return E.left({ error: 'unsupported_encoding' })
  const contentType = incoming.field('content-type')
  const [isTaken, read] = takes === 'form' ? [isFormType, readFormBody] : [isJsonType, readJsonBody]
  // What has another type is refused for it, unread.
  const bytes = isTaken(contentType) ? await incoming.readBytes() : nothing
  return E.isLeft(bytes) ? refusalOf(bytes.left) : E.right(read(contentType, bytes.right))
}
