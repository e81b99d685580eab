import type { InitialAccessTokenResponse } from '@clientele/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'

const IssuedToken = t.type({
  access_token: t.string,
  token_type: t.literal('Bearer'),
  expires_in: t.number,
  scope: t.string,
})

const Refused = t.type({ error_description: t.string })

const timeLimit = 15_000

const post = (url: string, masterToken: string, body: object): TE.TaskEither<string, Response> =>
  TE.tryCatch(
    () =>
      fetch(`${url}/direct-authz`, {
        method: 'POST',
        redirect: 'error',
        signal: AbortSignal.timeout(timeLimit),
        headers: { Authorization: `Bearer ${masterToken}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    () => `the running service cannot be reached at ${url}`,
  )

const refusalOf = (status: number, body: unknown): string => {
  if (status === 401) return 'the running service does not accept the master token: set the one that it has'
  return Refused.is(body) ? body.error_description : `the running service answered ${status}`
}

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
export const requestToken = (
  url: string,
  masterToken: string,
  body: object,
): TE.TaskEither<string, InitialAccessTokenResponse> => pipe(post(url, masterToken, body), TE.flatMap(read))
