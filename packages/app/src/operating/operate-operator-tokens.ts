// Commands on operator tokens, through the running service or on the store when none runs; and the reload of a service.
import {
  type OperatorTokenList,
  type OperatorTokenResponse,
  OperatorTokenDescription,
} from '@clientele/domain/operations'
import type { Reloaded } from '@clientele/adapters-http'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import { dataFiles } from '../config/data-files.js'
import type { Config } from '../config/settings.js'
import { operate } from './operation.js'

export type OperatorTokenRequest = { readonly scope: string; readonly name?: string; readonly lifetime?: number }

const IssuedAnswer = t.type({
  access_token: t.string,
  token_type: t.literal('Bearer'),
  expires_in: t.number,
  scope: t.string,
  id: t.string,
})
const ListAnswer = t.type({ tokens: t.readonlyArray(OperatorTokenDescription), more: t.boolean })
const ReloadedAnswer = t.type({ reloaded: t.readonlyArray(t.string), waiting: t.readonlyArray(t.string) })

export const issueToken = (config: Config, body: OperatorTokenRequest): TE.TaskEither<string, OperatorTokenResponse> =>
  operate(config, {
    codec: IssuedAnswer,
    path: '/operator-tokens',
    body,
  })

export const listTokens = (config: Config): TE.TaskEither<string, OperatorTokenList> =>
  operate(config, {
    codec: ListAnswer,
    path: '/operator-tokens',
  })

export const revokeToken = (config: Config, id: string): TE.TaskEither<string, null> =>
  operate(config, {
    codec: t.null,
    path: `/operator-tokens/${encodeURIComponent(id)}`,
    asking: { method: 'DELETE' },
  })

/** Makes the running service read its settings again. */
export const reloadService = (config: Config): TE.TaskEither<string, Reloaded> =>
  config.server === undefined && dataFiles(config) === undefined
    ? TE.left('with PostgreSQL, send SIGHUP to the process of each instance, or name one by server')
    : operate(config, {
        codec: ReloadedAnswer,
        path: '/reload',
        body: {},
        notFound: 'no service runs here: the next start reads the settings',
      })
