// The way of a command: requests of management to the running service, or to the same routes on the store.
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { dirname } from 'node:path'
import { dataFiles, type DataFiles } from '../config/database.js'
import type { Config } from '../config/settings.js'
import { ownSocket, findDatabase } from '../data/data-directory.js'
import { openData, type OpenDataRefusal, type OpenedData } from '../data/open-data.js'
import { permitCommand } from '../running/presence.js'
import { type Ask, type Asking, askService, requestOf, type ServiceAccess } from './ask-service.js'
import { readAnswer } from './read-answer.js'
import { type NeededKeys, withRoutesOnStore } from './routes-on-store.js'

/** Where the requests go. */
export type Place = 'service' | 'store'

type Run<A> = (ask: Ask, place: Place) => TE.TaskEither<string, A>

/** Whether a service answers at the socket; if not, the reason. */
const answeringService = (socket: string): TE.TaskEither<string, ServiceAccess> =>
  pipe(
    TE.fromEither(ownSocket(socket)),
    TE.map((own) => ({ socket: own })),
    TE.tap((access) => pipe(askService(access)('/health/live'), TE.flatMap(readAnswer(t.unknown)))),
  )

const closing =
  <A>(data: OpenedData, done: TE.TaskEither<string, A>): TE.TaskEither<string, A> =>
  async () => {
    try {
      return await done()
    } finally {
      await data.store.close()
    }
  }

// The socket of a service is in its own data directory, which may differ for the same database.
const inUse = ({ directory, database }: DataFiles, noAnswer: string): string =>
  dirname(database) === directory ? noAnswer : `${noAnswer}, or name the data-dir of the service that has ${database}`

/** Runs on the store. */
const onStore = <A>(
  config: Config,
  { run, keys }: Work<A>,
  refused: (refusal: OpenDataRefusal) => string,
): TE.TaskEither<string, A> =>
  pipe(
    openData(config, { onFatal: () => undefined, expectExisting: true, admit: permitCommand, waitForDatabase: 0 }),
    TE.mapLeft(refused),
    TE.flatMap((data) =>
      closing(
        data,
        withRoutesOnStore(config, data, keys, (ask) => run((...given) => ask(requestOf(...given)), 'store')),
      ),
    ),
  )

/** Runs on the database of the files; a locked one belongs to the service that did not answer. */
const onFiles = <A>(config: Config, files: DataFiles, noAnswer: string, work: Work<A>): TE.TaskEither<string, A> =>
  pipe(
    TE.fromEither(findDatabase(files)),
    TE.flatMap(() =>
      onStore(config, work, ({ refusal, message }) => (refusal === 'in-use' ? inUse(files, noAnswer) : message)),
    ),
  )

const needsService = 'an operator-token counts at a running service, and none answers here: name one by server'

const byToken = <A>(files: DataFiles | undefined, token: string, run: Run<A>): TE.TaskEither<string, A> =>
  files === undefined
    ? TE.left(needsService)
    : pipe(
        answeringService(files.socket),
        TE.mapLeft(() => needsService),
        TE.flatMap((access) => run(askService({ ...access, token }), 'service')),
      )

// Whoever names the public port of a service with management-port finds no operation there.
const byServer = <A>(access: ServiceAccess & { readonly url: string }, run: Run<A>): TE.TaskEither<string, A> =>
  pipe(
    run(askService(access), 'service'),
    TE.orElse((message) =>
      pipe(
        askService(access)('/health/live'),
        TE.flatMap((response) =>
          TE.tryCatch(
            () => response.text().then(() => response.status),
            () => message,
          ),
        ),
        TE.matchE(
          () => TE.left(message),
          (status) =>
            TE.left(
              status === 404
                ? `${message}. Is ${access.url} the base URL, or that of the management port where the service has one? It answers 404 at /health/live`
                : message,
            ),
        ),
      ),
    ),
  )

type Work<A> = { readonly run: Run<A>; readonly keys: NeededKeys }

/**
 * Runs by requests to the service if one answers, otherwise by the same requests on the store, in this process; always
 * there on PostgreSQL, which has no lock.
 */
export const manage = <A>(config: Config, run: Run<A>, keys: NeededKeys = 'none'): TE.TaskEither<string, A> => {
  const { server: url, 'operator-token': token } = config
  if (url !== undefined) return byServer({ url, token }, run)
  const files = dataFiles(config)
  // On the store, a command may do what the token does not permit.
  if (token !== undefined) return byToken(files, token, run)
  const work = { run, keys }
  if (files === undefined) return onStore(config, work, ({ message }) => message)
  return pipe(
    answeringService(files.socket),
    TE.matchE(
      (noAnswer) => onFiles(config, files, noAnswer, work),
      (access) => run(askService(access), 'service'),
    ),
  )
}

/** One request of a command, and how its answer is read. */
type Operation<A> = {
  readonly path: string
  readonly body?: object
  readonly asking?: Asking
  readonly codec: t.Decoder<unknown, A>
  /** The text for an unknown client, whose 404 has no body. */
  readonly notFound?: string
  /** Of the key rings, where no service runs. */
  readonly keys?: NeededKeys
}

export const noSuchClient = 'no client has this id: clientele clients list lists them'

export const operate = <A>(
  config: Config,
  { path, body, asking, codec, notFound, keys }: Operation<A>,
): TE.TaskEither<string, A> =>
  manage(config, (ask) => pipe(ask(path, body, asking), TE.flatMap(readAnswer(codec, notFound))), keys)
