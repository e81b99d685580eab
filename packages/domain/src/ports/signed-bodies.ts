// The reading and the verification of registration requests that are JWTs as a whole: Open Banking DCR 3.3.
import type * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Requester } from '../authorization/credential.js'
import type { Unavailable } from '../errors.js'
import type { OpenedBody } from '../registration/signed-body.js'

/** The host returned no key set; detail is for the log only. */
export type KeySetUnavailable = { readonly error: 'key_set_unavailable'; readonly detail: unknown }

export const keySetUnavailable = (detail: unknown): KeySetUnavailable => ({ error: 'key_set_unavailable', detail })

export type SignedBodies = {
  /** Left if the text is no JWT in compact form whose parts every reader of JSON reads alike. */
  readonly openSignedBody: (jwt: string) => E.Either<'signed-body', OpenedBody>
  /** Whether a key of the set, and no key of the header, verifies the signature by one of the algorithms. */
  readonly verifySignedBody: (jwt: string, keySet: unknown, algorithms: ReadonlyArray<string>) => T.Task<boolean>
  /**
   * The JSON document at the https URI; left out while outbound fetches are off. Unavailable means that the service
   * could not send the request now.
   */
  readonly fetchKeySet?: (uri: string, requester: Requester) => TE.TaskEither<KeySetUnavailable | Unavailable, unknown>
}
