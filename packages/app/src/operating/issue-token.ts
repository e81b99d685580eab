import type { InitialAccessTokenResponse } from '@clientele/domain/operations'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import type { Config } from '../config/settings.js'
import { operate } from './operation.js'

export type TokenRequest = { readonly scope: string; readonly lifetime?: number }

const IssuedToken = t.type({
  access_token: t.string,
  token_type: t.literal('Bearer'),
  expires_in: t.number,
  scope: t.string,
  id: t.string,
})

/** An initial access token, as from POST /direct-authz. */
export const issueToken = (config: Config, body: TokenRequest): TE.TaskEither<string, InitialAccessTokenResponse> =>
  operate(config, {
    path: '/direct-authz',
    body,
    codec: IssuedToken,
  })
