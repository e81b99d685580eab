import type { Requester } from '@clientele/domain/authorization'
import { type Unavailable, parseWellFormedJson, unavailable } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { holderOf } from './holder.js'
import { type OutboundOptions, strictOptions } from './outbound-options.js'
import { createSafeFetch } from './safe-fetch.js'

export type JsonSource<Refusal> = {
  /** The member of client metadata, or the claim, that names the URL. */
  readonly member: string
  readonly accept: string
  /** The refusal of a request whose document is not there, or is no JSON. */
  readonly refuse: (reason: string) => Refusal
}

/** Fetches JSON that a requester names, from allowed addresses only. A failure of this service is not a fault of the request. */
export const createFetchJson = <Refusal>(
  { member, accept, refuse }: JsonSource<Refusal>,
  options: Partial<OutboundOptions>,
): ((url: string, requester: Requester) => TE.TaskEither<Refusal | Unavailable, unknown>) => {
  const safeFetch = createSafeFetch({ ...strictOptions, ...options })
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
