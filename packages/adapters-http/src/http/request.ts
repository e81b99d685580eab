import type { AuditOrigin } from '@clientele/domain/audit'
import type { PresentedCredential } from '@clientele/domain/authorization'
import type { InvalidRequest } from '@clientele/domain/kernel'
import type { Traced } from './log-entry.js'
import type { Either } from 'fp-ts/lib/Either.js'

type FieldName =
  | 'accept'
  | 'accept-language'
  | 'content-encoding'
  | 'content-type'
  | 'cookie'
  | 'idempotency-key'
  | 'if-match'
  | 'if-none-match'
  | 'origin'
  | 'forwarded'
  | 'sec-fetch-site'
  | 'x-forwarded-for'

/** The header fields in use, by lower-case names. RFC 9110 §5.3: a repeated field is one list. */
export type RequestHeaders = Readonly<Partial<Record<FieldName, string | undefined>>>

/** A request from a shell, without its body. */
export type ReceivedRequest = {
  readonly method: string
  /** As sent, percent-encoded. */
  readonly path: string
  /** The part after the question mark, as sent. */
  readonly queryString: string
  readonly headers: RequestHeaders
  /** All Authorization fields; where the runtime joins them to a list, that list, which contains no valid token. */
  readonly authorization: ReadonlyArray<string>
  /** The address of the sender, if the host knows it. */
  readonly remoteAddress: string | undefined
  readonly requestId: string
  /** The trace of the request, where the host traces. */
  readonly traced: Traced | undefined
}

/** The maximum size of a body in octets; a larger one is not read. */
export const maxBodyBytes = 65_536

export type UnreadBody = 'too_large' | 'ended_early'

/**
 * Reads the body of a request from its runtime, `maxBodyBytes` at most. It is called once, and only for a body of an
 * accepted type.
 */
export type ReadBytes<Peer> = (peer: Peer) => Promise<Either<UnreadBody, Uint8Array>>

/** All values of each parameter, so that a repeated one stays visible. */
export type Query = Readonly<Record<string, ReadonlyArray<string>>>

/** The body as JSON or as the values of a form, or the reason why it cannot be read. */
export type RequestBody = Either<InvalidRequest, unknown>

/** A request for a handler: a value, without the framework. */
export type HttpRequest = Pick<ReceivedRequest, 'method' | 'headers' | 'remoteAddress'> & {
  readonly credential: PresentedCredential
  /** For the audit log. */
  readonly origin: AuditOrigin
  /** The id of the client, session or initial access token in the path; empty where the path has none. */
  readonly id: string
  readonly query: Query
  readonly body: RequestBody
}

/** RFC 9110 §8.6: whether the Content-Length of a request exceeds the maximum. */
export const declaresTooMuch = ({
  headers,
}: {
  readonly headers: { readonly 'content-length'?: string | undefined }
}): boolean => Number(headers['content-length']) > maxBodyBytes
