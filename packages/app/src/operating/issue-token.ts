import type { InitialAccessTokenResponse } from '@clientele/domain'
import { issueInitialAccessToken } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Config } from '../config/settings.js'
import type { OpenedData } from '../data/open-data.js'
import { refusalText } from './read-answer.js'
import { requestToken } from './request-token.js'
import { throughServiceOrStore } from './through-service-or-store.js'

export type TokenRequest = { readonly scope: string; readonly lifetime?: number }

type Issued = TE.TaskEither<string, InitialAccessTokenResponse>

const issueOnStore =
  (config: Config, body: TokenRequest) =>
  (data: OpenedData): Issued =>
    pipe(
      issueInitialAccessToken(
        { initialAccessTokenLifetime: config['initial-access-token-lifetime'] },
        { ...data.store.registry, ...data.store.initialAccessTokens, ...data.fresh },
      )({ credential: { kind: 'master' }, body: E.right(body) }),
      TE.mapLeft((refusal) => refusalText(refusal, 'the store cannot answer now')),
    )

/** Through the service when it runs, and on the store itself when it does not. */
export const issueToken = (config: Config, body: TokenRequest): Issued =>
  throughServiceOrStore(config, {
    service: (access) => requestToken(access, body),
    store: issueOnStore(config, body),
  })
