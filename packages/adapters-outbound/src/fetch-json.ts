// JSON documents that a requester names: key sets of software statements, and sector identifier documents.
import type { Requester } from '@clientele/domain/authorization'
import { type Unavailable, parseWellFormedJson, sourceOf, unavailable } from '@clientele/domain/kernel'
import {
  type SectorIdentifiers,
  type SignedBodies,
  keySetUnavailable,
  sectorIdentifierUnavailable,
} from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type OutboundOptions, strictOptions } from './outbound-options.js'
import { createSafeFetch, readResponse } from './safe-fetch.js'

/** The name by which places are counted for a requester. */
const holderOf = (requester: Requester): string => {
  switch (requester.kind) {
    case 'master':
      return 'master'
    case 'token':
      return `token ${requester.hash}`
    case 'nobody':
      return `address ${sourceOf(requester.address).name}`
  }
}

/**
 * Fetches JSON from allowed addresses only. `member` of the client metadata, or of the claims, names the URL; `refuse` gives
 * the refusal of a request whose document is not there, or is no JSON. A failure of this service is not a fault of the request.
 */
const createFetchJson = <Refusal>(
  member: string,
  accept: string,
  refuse: (reason: string) => Refusal,
  options: Partial<OutboundOptions>,
): ((url: string, requester: Requester) => TE.TaskEither<Refusal | Unavailable, unknown>) => {
  const safeFetch = createSafeFetch({ ...strictOptions, ...options }, readResponse)
  return (url, requester) =>
    pipe(
      safeFetch({ url, method: 'GET', headers: { accept }, holder: holderOf(requester) }),
      TE.mapLeft(({ kind, reason }) => (kind === 'unable' ? unavailable(`${member}: ${reason}`) : refuse(reason))),
      TE.flatMapEither(({ status, body }): E.Either<Refusal, unknown> =>
        status === 200
          ? pipe(
              parseWellFormedJson(body),
              E.mapLeft(({ error_description }) => refuse(error_description)),
            )
          : E.left(refuse(`the status is ${status}`)),
      ),
    )
}

/** RFC 7517 §8.5.2: fetches the key sets that software statements name, from allowed addresses only. */
export const createKeySets = (options: Partial<OutboundOptions> = {}): Required<Pick<SignedBodies, 'fetchKeySet'>> => ({
  fetchKeySet: createFetchJson(
    'software_jwks_endpoint',
    'application/jwk-set+json, application/json',
    keySetUnavailable,
    options,
  ),
})

/** OpenID Registration §5: fetches the documents of sector identifier URIs, from allowed addresses only. */
export const createSectorIdentifiers = (options: Partial<OutboundOptions> = {}): SectorIdentifiers => ({
  fetchSectorIdentifier: createFetchJson(
    'sector_identifier_uri',
    'application/json',
    sectorIdentifierUnavailable,
    options,
  ),
})
