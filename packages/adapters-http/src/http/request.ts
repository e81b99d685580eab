import type { InvalidRequest, PresentedCredential } from '@clientele/domain'
import type { Either } from 'fp-ts/lib/Either.js'

type FieldName =
  | 'accept'
  | 'accept-language'
  | 'content-encoding'
  | 'content-type'
  | 'cookie'
  | 'if-none-match'
  | 'origin'
  | 'sec-fetch-site'

/** The fields that are read, by their names in lower case. RFC 9110 §5.3: a field that is repeated is one list. */
export type RequestHeaders = Readonly<Partial<Record<FieldName, string | undefined>>>

/** A request as a shell received it, but for its body. */
export type ReceivedRequest = {
  readonly method: string
  /** As it was sent, percent-encoded. */
  readonly path: string
  /** What stands after the question mark, as it was sent. */
  readonly queryString: string
  readonly headers: RequestHeaders
  /** Every Authorization field; where the runtime makes one list of them, that list, in which no token is found. */
  readonly authorization: ReadonlyArray<string>
  /** The address that it came from, as far as the host knows. */
  readonly remoteAddress: string | undefined
}

/** Octets of a body; a longer one is not read. */
export const maxBodyBytes = 65_536

export type UnreadBody = 'too_large' | 'ended_early'

/**
 * Reads the body of a request as its runtime has it, `maxBodyBytes` at most. It is called once, and only for a body whose type
 * is taken.
 */
export type ReadBytes<Peer> = (peer: Peer) => Promise<Either<UnreadBody, Uint8Array>>

/** Every value of a parameter, so that a repeated one stays visible. */
export type Query = Readonly<Record<string, ReadonlyArray<string>>>

/** The body as JSON, or as the values of a form, or why it cannot be read. */
export type RequestBody = Either<InvalidRequest, unknown>

/** A request as a handler receives it: a value, without the framework. */
export type HttpRequest = Pick<ReceivedRequest, 'method' | 'headers' | 'remoteAddress'> & {
  readonly credential: PresentedCredential
  /** What the path names: a client, a session or an initial access token. It is empty where the path names nothing. */
  readonly id: string
  readonly query: Query
  readonly body: RequestBody
}
