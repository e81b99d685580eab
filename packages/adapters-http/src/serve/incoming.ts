import type { Either } from 'fp-ts/lib/Either.js'

/** Octets of a body; a longer one is not read. */
export const mostBodyBytes = 65_536

/** Why there are no bytes. */
export type UnreadBody = 'too_large' | 'ended_early'

/** A request as a shell hands it over, in the words of HTTP. */
export type Incoming = {
  /** Who asks, as far as the host knows; asked at once, because the address of a peer that has gone is not known any more. */
  readonly remoteAddress: string | undefined
  readonly method: string
  /** What stands after the question mark, as it was sent. */
  readonly query: string
  /** A field by its name in lower case; RFC 9110 §5.3: one that is repeated is one list. */
  readonly field: (name: string) => string | undefined
  /** Every Authorization field; where the runtime makes one list of them, that list, in which no token is found. */
  readonly authorization: ReadonlyArray<string>
  /** The body, `mostBodyBytes` at most; asked for once, and only where its type is taken. */
  readonly readBytes: () => Promise<Either<UnreadBody, Uint8Array>>
}
