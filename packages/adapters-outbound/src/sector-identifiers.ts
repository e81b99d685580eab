import {
  type Requester,
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
import ipaddr from 'ipaddr.js'
import { parseAddress } from './ip-address.js'
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

// RFC 4291 §2.5.4: the subscriber chooses the last 64 bits of an IPv6 address
const networkOf = (text: string): string => {
  const address = parseAddress(text)
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, 4).join(':') : (address?.toString() ?? text)
}

/** The name by which places are counted for a requester. */
const holderOf = (requester: Requester): string => {
  switch (requester.kind) {
    case 'master':
      return 'master'
    case 'token':
      return `token ${requester.hash}`
    case 'nobody':
      return `address ${networkOf(requester.address ?? '')}`
  }
}

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
