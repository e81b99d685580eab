import {
  type SectorIdentifiers,
  type SectorIdentifierUnavailable,
  type Unavailable,
  parseWellFormedJson,
  sectorIdentifierUnavailable,
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

const readDocument = ({ status, body }: OutboundResponse): E.Either<SectorIdentifierUnavailable, unknown> =>
  status === 200
    ? pipe(
        parseWellFormedJson(body),
        E.mapLeft(({ error_description }) => sectorIdentifierUnavailable(error_description)),
      )
    : E.left(sectorIdentifierUnavailable(`the status is ${status}`))

// A failure of this service is not a fault of the document.
const refusalOf = ({ kind, reason }: OutboundFailure): SectorIdentifierUnavailable | Unavailable =>
  kind === 'unable' ? unavailable(`sector_identifier_uri: ${reason}`) : sectorIdentifierUnavailable(reason)

/** OpenID Registration §5: fetches the documents of sector identifier URIs, from allowed addresses only. */
export const createSectorIdentifiers = (options: Partial<OutboundOptions> = {}): SectorIdentifiers => {
  const safeFetch = createSafeFetch({ ...strictOptions, ...options })
  return {
    fetchSectorIdentifier: (url, requester) =>
      pipe(
        safeFetch({ url, method: 'GET', headers: { accept: 'application/json' }, holder: holderOf(requester) }),
        TE.mapLeft(refusalOf),
        TE.flatMapEither(readDocument),
      ),
  }
}
