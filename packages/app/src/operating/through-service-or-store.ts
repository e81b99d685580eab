import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { ServiceAccess } from './ask-service.js'
import { ownSocket } from '../data/command-socket.js'
import type { Config } from '../config/settings.js'
import { findDatabase } from '../data/data-directory.js'
import { dataFiles } from '../config/data-files.js'
import type { OpenedData } from '../data/open-data.js'
import { openData } from '../data/open-data.js'

/** The two ways to do one thing; a refusal is one line for the operator. */
export type Ways<A> = {
  readonly service: (access: ServiceAccess) => TE.TaskEither<string, A>
  readonly store: (data: OpenedData) => TE.TaskEither<string, A>
}

const closing =
  <A>(data: OpenedData, done: TE.TaskEither<string, A>): TE.TaskEither<string, A> =>
  async () => {
    const result = await done()
    await data.store.close()
    return result
  }

const askedOf = <A>(socket: string, ask: Ways<A>['service']): TE.TaskEither<string, A> =>
  pipe(
    TE.fromEither(ownSocket(socket)),
    TE.flatMap((own) => ask({ socket: own })),
  )

// The lock says for certain whether the service runs: whoever takes it removes the socket of a service that crashed.
/** Through the service when it runs, and on the store itself when it does not. */
export const throughServiceOrStore = <A>(config: Config, ways: Ways<A>): TE.TaskEither<string, A> => {
  const { directory, database, socket } = dataFiles(config['data-dir'])
  const found = findDatabase(directory, database)
  if (E.isLeft(found)) return TE.left(found.left)
  return pipe(
    openData(config, { onFatal: () => undefined, expectExisting: true }),
    E.match(
      ({ refusal, message }) => (refusal === 'in-use' ? askedOf(socket, ways.service) : TE.left(message)),
      (data) => closing(data, ways.store(data)),
    ),
  )
}
