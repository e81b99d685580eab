import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { existsSync } from 'node:fs'
import type { ServiceAccess } from './ask-service.js'
import { masterToken } from './config/secrets.js'
import type { Config } from './config/settings.js'
import { dataFiles } from './first-run.js'
import type { OpenedData } from './open-data.js'
import { openData } from './open-data.js'
import { readServiceFile } from './running-service.js'
import { readSecretFile } from './secret-file.js'

/** The two ways to do one thing; a refusal is one line for the operator. */
export type Ways<A> = {
  readonly service: (access: ServiceAccess) => TE.TaskEither<string, A>
  readonly store: (data: OpenedData) => TE.TaskEither<string, A>
}

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

const serviceAccess = (config: Config): E.Either<string, ServiceAccess> =>
  pipe(
    readServiceFile(dataFiles(config['data-dir']).service),
    E.fromOption(() => 'the data is in use by a service that is just starting or stopping: try again'),
    E.bindTo('service'),
    E.bind('token', () => presentableMasterToken(config)),
    E.map(({ service, token }) => ({ url: service.url, masterToken: token })),
  )

const closing =
  <A>(data: OpenedData, done: TE.TaskEither<string, A>): TE.TaskEither<string, A> =>
  async () => {
    const result = await done()
    await data.store.close()
    return result
  }

// The lock says for certain whether the service runs: a stale file could send the master token to somebody else's port.
/** Through the service when it runs, and on the store itself when it does not. */
export const throughServiceOrStore = <A>(config: Config, ways: Ways<A>): TE.TaskEither<string, A> => {
  const { database } = dataFiles(config['data-dir'])
  if (!existsSync(database)) return TE.left(`${database} does not exist: start the service once, or correct data-dir`)
  return pipe(
    openData(config, { onFatal: () => undefined, expectExisting: true }),
    E.match(
      ({ refusal, message }) =>
        refusal === 'in-use' ? pipe(TE.fromEither(serviceAccess(config)), TE.flatMap(ways.service)) : TE.left(message),
      (data) => closing(data, ways.store(data)),
    ),
  )
}
