import type { InitialAccessTokenResponse } from '@clientele/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { ServiceAccess } from './ask-service.js'
import { askService } from './ask-service.js'
import { readAnswer } from './read-answer.js'

const IssuedToken = t.type({
  access_token: t.string,
  token_type: t.literal('Bearer'),
  expires_in: t.number,
  scope: t.string,
})

/** POST /direct-authz of the running service, as MASTER. */
export const requestToken = (access: ServiceAccess, body: object): TE.TaskEither<string, InitialAccessTokenResponse> =>
  pipe(askService(access, '/direct-authz', body), TE.flatMap(readAnswer(IssuedToken)))
