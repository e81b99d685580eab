import type { SectorIdentifiers } from '@clientele/domain'
import { parseWellFormedJson, sectorIdentifierUnavailable } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { OutboundOptions } from './outbound-options.js'
import { strictOptions } from './outbound-options.js'
import type { OutboundResponse } from './read-response.js'
import { createSafeFetch } from './safe-fetch.js'

const readDocument = ({ status, body }: OutboundResponse): E.Either<string, unknown> =>
  status === 200
    ? pipe(
        parseWellFormedJson(body),
        E.mapLeft(({ error_description }) => error_description),
      )
    : E.left(`the status is ${status}`)

/** OpenID Registration §5: fetches the documents of sector identifier URIs, from public addresses only. */
export const createSectorIdentifiers = (options: Partial<OutboundOptions> = {}): SectorIdentifiers => {
  const safeFetch = createSafeFetch({ ...strictOptions, ...options })
  return {
    fetchSectorIdentifier: (url) =>
      pipe(
        safeFetch({ url, method: 'GET', headers: { accept: 'application/json' } }),
        TE.flatMapEither(readDocument),
        TE.mapLeft(sectorIdentifierUnavailable),
      ),
  }
}
