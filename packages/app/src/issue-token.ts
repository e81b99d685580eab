import type { InitialAccessTokenResponse } from '@clientele/domain'
import { issueInitialAccessToken } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { existsSync } from 'node:fs'
import { masterToken } from './config/secrets.js'
import type { Config } from './config/settings.js'
import { dataFiles } from './first-run.js'
import type { OpenedData } from './open-data.js'
import { openData } from './open-data.js'
import { requestToken } from './request-token.js'
import { readSecretFile } from './secret-file.js'
import { readServiceFile } from './running-service.js'

export type TokenRequest = { readonly scope: string; readonly lifetime?: number }

type Issued = TE.TaskEither<string, InitialAccessTokenResponse>

const describe = (refusal: object): string =>
  'error_description' in refusal ? String(refusal.error_description) : 'the store cannot answer now'

const issueOnStore =
  (config: Config, body: TokenRequest) =>
  (data: OpenedData): Issued =>
    pipe(
      issueInitialAccessToken(
        { initialAccessTokenLifetime: config['initial-access-token-lifetime'] },
        { ...data.store.initialAccessTokens, ...data.fresh },
      )({ credential: { kind: 'master' }, body: E.right(body) }),
      TE.mapLeft(describe),
      (issued) => async () => {
        const result = await issued()
        await data.store.close()
        return result
      },
    )

const presentableMasterToken = (config: Config): E.Either<string, string> => {
  const configured = config['master-token']
  if (configured?.kind === 'sha256')
    return E.left('the running service needs the master token, and only its SHA-256 is set: set master-token as well')
  return configured === undefined
    ? pipe(
        readSecretFile(masterToken)(dataFiles(config['data-dir']).masterToken),
        E.map((found) => (found.kind === 'token' ? found.token : '')),
      )
    : E.right(configured.token)
}

const issueThroughService = (config: Config, body: TokenRequest): Issued =>
  pipe(
    readServiceFile(dataFiles(config['data-dir']).service),
    E.fromOption(() => 'the data is in use by a service that is just starting or stopping: try again'),
    E.bindTo('service'),
    E.bind('token', () => presentableMasterToken(config)),
    TE.fromEither,
    TE.flatMap(({ service, token }) => requestToken(service.url, token, body)),
  )

// The lock says for certain whether the service runs: a stale file could send the master token to somebody else's port.
/** Through the service when it runs, and on the store itself when it does not. */
export const issueToken = (config: Config, body: TokenRequest): Issued => {
  const { database } = dataFiles(config['data-dir'])
  if (!existsSync(database)) return TE.left(`${database} does not exist: start the service once, or correct data-dir`)
  return pipe(
    openData(config, { onFatal: () => undefined, expectExisting: true }),
    E.match(
      ({ refusal, message }) => (refusal === 'in-use' ? issueThroughService(config, body) : TE.left(message)),
      issueOnStore(config, body),
    ),
  )
}
