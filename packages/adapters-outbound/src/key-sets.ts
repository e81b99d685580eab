import {
  type KeySetUnavailable,
  type SignedBodies,
  type Unavailable,
  keySetUnavailable,
  parseWellFormedJson,
  unavailable,
} from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { holderOf } from './holder.js'
import type { OutboundFailure } from './outbound-failure.js'
import { type OutboundOptions, strictOptions } from './outbound-options.js'
import type { OutboundResponse } from './read-response.js'
import { createSafeFetch } from './safe-fetch.js'

const readKeySet = ({ status, body }: OutboundResponse): E.Either<KeySetUnavailable, unknown> =>
  status === 200
    ? pipe(
        parseWellFormedJson(body),
        E.mapLeft(({ error_description }) => keySetUnavailable(error_description)),
      )
    : E.left(keySetUnavailable(`the status is ${status}`))

// A failure of this service is not a fault of the key set.
const refusalOf = ({ kind, reason }: OutboundFailure): KeySetUnavailable | Unavailable =>
  kind === 'unable' ? unavailable(`software_jwks_endpoint: ${reason}`) : keySetUnavailable(reason)

/** RFC 7517 §8.5.2: fetches the key sets that software statements name, from allowed addresses only. */
export const createKeySets = (options: Partial<OutboundOptions> = {}): Required<Pick<SignedBodies, 'fetchKeySet'>> => {
  const safeFetch = createSafeFetch({ ...strictOptions, ...options })
  return {
    fetchKeySet: (url, requester) =>
      pipe(
        safeFetch({
          url,
          method: 'GET',
          headers: { accept: 'application/jwk-set+json, application/json' },
          holder: holderOf(requester),
        }),
        TE.mapLeft(refusalOf),
        TE.flatMapEither(readKeySet),
      ),
  }
}
