import type { InitialAccessTokenResponse } from '@clientele/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { ServiceAccess } from './ask-service.js'
import { askService } from './ask-service.js'

const IssuedToken = t.type({
  access_token: t.string,
  token_type: t.literal('Bearer'),
  expires_in: t.number,
  scope: t.string,
})

const Refused = t.type({ error_description: t.string })

const refusalOf = (status: number, body: unknown): string =>
  Refused.is(body) ? body.error_description : `the running service answered ${status}`

const read = (response: Response): TE.TaskEither<string, InitialAccessTokenResponse> =>
  pipe(
    TE.tryCatch(
      async (): Promise<unknown> => JSON.parse((await response.text()) || 'null'),
      () => `the running service answered ${response.status}, and no JSON`,
    ),
    TE.flatMap((body) =>
      response.status === 200 && IssuedToken.is(body) ? TE.right(body) : TE.left(refusalOf(response.status, body)),
    ),
  )

/** POST /direct-authz of the running service, as MASTER. */
export const requestToken = (access: ServiceAccess, body: object): TE.TaskEither<string, InitialAccessTokenResponse> =>
  pipe(askService(access, '/direct-authz', body), TE.flatMap(read))
