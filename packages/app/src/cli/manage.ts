// The way of a command: requests of management to the running service, or to the same routes on the store.
import { type PageRenderer, createPageRenderer } from '@clientele/adapters-http'
import { type FetchHandler, createManagementHandler } from '@clientele/adapters-http/fetch'
import { type KeyRotationScheduler, createKeyRotationScheduler } from '@clientele/adapters-jose'
import { type KeyRing, type KeySettings, ringNames } from '@clientele/domain/keys'
import { keyRingsLeaseLength, manageKeys, manageNotifications } from '@clientele/domain/operations'
import { unlimited } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import { type DataFiles, dataFiles } from '../config/database.js'
import type { Config } from '../config/settings.js'
import { ownSocket, findDatabase } from '../data/data-directory.js'
import { type OpenedData, openData } from '../data/open-data.js'
import { routePorts } from '../http-ports.js'
import { permitCommand } from '../running/presence.js'
import { keyPorts } from '../running/key-rotation.js'
import { keySettings } from '../config/keys.js'
import { createLog } from '../observing/log.js'
import { printable } from '../text.js'
import { baseUrlAt, httpSettings } from '../config/listening.js'
import { serviceOf } from '../config/pages.js'
import { type Ask, type Asking, type ServiceAccess, askService, readAnswer, refusalText, requestOf } from './ask.js'

/**
 * What is prepared before the routes run on the store: the stored key rings, the set that is published, new rings where there
 * are none, or nothing, for requests that read the store themselves.
 */
export type NeededKeys = 'none' | 'stored' | 'published' | 'made'

const unavailableStore = 'the store cannot answer now: try again'

// Only the holder of the lease makes rings; one that was killed does not release it.
const managedElsewhere = {
  error_description: `another instance manages the keys, or ended less than ${keyRingsLeaseLength} seconds ago, so that not all keys were made: try again`,
}

const logNothing = createLog('silent', { write: () => true, writableLength: 0 })

/** Reads or makes the rings that are needed; those that are stored are the answer, all others the schedule has. */
const haveRings = (settings: KeySettings, rings: ReadonlyArray<KeyRing>): boolean =>
  ringNames(settings).every(({ alg, use }) => rings.some((ring) => ring.alg === alg && ring.use === use))

const preparedRings = (
  needed: NeededKeys,
  settings: KeySettings,
  { store }: OpenedData,
  { refreshKeys, lastRead, reconcile, keyRings }: KeyRotationScheduler,
): TE.TaskEither<unknown, ReadonlyArray<KeyRing> | undefined> => {
  switch (needed) {
    case 'none':
      return TE.right(undefined)
    case 'stored':
      return store.keyRings.readKeyRings
    case 'published':
      // A refresh that cannot read leaves what was there: nothing.
      return async () => {
        await refreshKeys()
        return lastRead().age === Infinity ? E.left(unavailableStore) : E.right(undefined)
      }
    case 'made':
      return pipe(
        reconcile,
        TE.flatMapEither(() => (haveRings(settings, keyRings()) ? E.right(undefined) : E.left(managedElsewhere))),
      )
  }
}

/**
 * Runs with the routes of management on the store, in the process of a command; as file permissions let only the
 * operator open the store, its requests are the operator's.
 */
export const withRoutesOnStore = <A>(
  config: Config,
  data: OpenedData,
  keys: NeededKeys,
  run: (ask: Ask) => TE.TaskEither<string, A>,
): TE.TaskEither<string, A> => {
  const settings = keySettings(config)
  const ports = keyPorts(data)
  const rotation = createKeyRotationScheduler({ settings, ports })
  let failure: unknown
  const handlerWith = (renderPage: PageRenderer, stored: ReadonlyArray<KeyRing> | undefined): FetchHandler =>
    createManagementHandler(
      {
        ...httpSettings(config, data.masterTokenHashes(data), baseUrlAt(config)),
        basePath: '',
        operatorAlone: 'command',
      },
      {
        ...routePorts({
          config,
          data,
          log: logNothing,
          isDraining: () => false,
          reports: () => [],
          // A change answers when it is stored: nothing in this process signs with the keys afterwards.
          rotation: {
            ...rotation,
            keyRings: () => stored ?? rotation.keyRings(),
            keys: manageKeys(settings, ports),
          },
          dispatcher: {
            notifications: manageNotifications({ delivers: config['outbound-fetches'] }, data.operations),
            sessionEnded: () => undefined,
          },
          renderPage,
          reload: undefined,
          outbound: undefined,
          budgets: unlimited,
        }),
        requestId: () => randomUUID(),
        log: ({ detail }) => void (failure ??= detail),
        remoteAddress: () => undefined,
      },
    )
  const askBy =
    (handler: FetchHandler): Ask =>
    (...request) =>
      pipe(
        TE.fromTask(() => handler(requestOf(...request))),
        TE.filterOrElse(
          // A 503 with a body says what was done.
          ({ status, headers }) => status < 500 || headers.has('Content-Type'),
          ({ status }) => (status === 503 ? unavailableStore : `the command failed: ${printable(String(failure))}`),
        ),
      )
  const done = pipe(
    preparedRings(keys, settings, data, rotation),
    TE.mapLeft((refusal) => refusalText(refusal, unavailableStore)),
    TE.flatMapEither((stored) =>
      pipe(
        createPageRenderer({ service: serviceOf(config) }),
        E.mapLeft(({ description }) => description),
        E.map((renderPage) => askBy(handlerWith(renderPage, stored))),
      ),
    ),
    TE.flatMap(run),
  )
  return keys === 'made'
    ? pipe(
        done,
        T.tap(() => rotation.stop),
      )
    : done
}

/** Where the requests go. */
export type Place = 'service' | 'store'

type Run<A> = (ask: Ask, place: Place) => TE.TaskEither<string, A>

/** Whether a service answers at the socket; if not, the reason. */
const answeringService = (socket: string): TE.TaskEither<string, ServiceAccess> =>
  pipe(
    // Looked for when it is asked: a service may have started since the command began.
    TE.fromIOEither(() => ownSocket(socket)),
    TE.map((own) => ({ socket: own })),
    TE.tap((access) => pipe(askService(access)('/health/live'), TE.flatMap(readAnswer(t.unknown)))),
  )

// The socket of a service is in its own data directory, which may differ for the same database.
const inUse = ({ directory, database }: DataFiles, noAnswer: string): string =>
  dirname(database) === directory ? noAnswer : `${noAnswer}, or name the data-dir of the service that has ${database}`

/** Runs on the store. A database that is locked belongs to the service that did not answer. */
const onStore = <A>(
  config: Config,
  files: DataFiles | undefined,
  noAnswer: string,
  run: (data: OpenedData) => TE.TaskEither<string, A>,
): TE.TaskEither<string, A> =>
  pipe(
    files === undefined ? TE.right(undefined) : TE.fromEither(findDatabase(files)),
    TE.flatMap(() =>
      pipe(
        openData(config, { onFatal: () => undefined, expectExisting: true, admit: permitCommand, waitForDatabase: 0 }),
        TE.mapLeft(({ refusal, message }) =>
          refusal === 'in-use' && files !== undefined ? inUse(files, noAnswer) : message,
        ),
      ),
    ),
    TE.flatMap((data) => async () => {
      try {
        return await run(data)()
      } finally {
        await data.store.close()
      }
    }),
  )

// Whoever names the public port of a service with management-port finds no operation there.
const withHint = (url: string, message: string): TE.TaskEither<string, never> =>
  pipe(
    askService({ url })('/health/live'),
    TE.flatMap((response) => TE.tryCatch(() => response.text().then(() => response.status), String)),
    TE.matchE(
      () => TE.left(message),
      (status) =>
        TE.left(
          status === 404
            ? `${message}. Is ${url} the base URL, or that of the management port where the service has one? It answers 404 at /health/live`
            : message,
        ),
    ),
  )

const needsService = 'an operator-token counts at a running service, and none answers here: name one by server'

/**
 * Runs by requests to the service if one answers, otherwise by the same requests on the store, in this process; always
 * there on PostgreSQL, which has no lock.
 */
export const manage = <A>(config: Config, run: Run<A>, keys: NeededKeys = 'none'): TE.TaskEither<string, A> => {
  const { server: url, 'operator-token': token } = config
  const byService = (access: ServiceAccess): TE.TaskEither<string, A> =>
    run(askService({ ...access, token }), 'service')
  if (url !== undefined)
    return pipe(
      byService({ url }),
      TE.orElse((message): TE.TaskEither<string, A> => withHint(url, message)),
    )
  const files = dataFiles(config)
  const service = files === undefined ? TE.left('') : answeringService(files.socket)
  return pipe(
    service,
    TE.matchE(
      (noAnswer) =>
        // On the store, a command may do what the token does not permit.
        token === undefined
          ? onStore(config, files, noAnswer, (data) =>
              withRoutesOnStore(config, data, keys, (ask) => run(ask, 'store')),
            )
          : TE.left(needsService),
      byService,
    ),
  )
}

/** One request of a command, and how its answer is read. */
export type Operation<A> = Asking & {
  readonly path: string
  readonly body?: object
  readonly codec: t.Decoder<unknown, A>
  /** The text for an unknown client, whose 404 has no body. */
  readonly notFound?: string
  /** Of the key rings, where no service runs. */
  readonly keys?: NeededKeys
}

export const noSuchClient = 'no client has this id: clientele clients list lists them'

/** Sends the request to whoever asks, and reads its answer. */
export const askFor = <A>(ask: Ask, operation: Operation<A>): TE.TaskEither<string, A> =>
  pipe(ask(operation.path, operation.body, operation), TE.flatMap(readAnswer(operation.codec, operation.notFound)))

export const operate = <A>(config: Config, operation: Operation<A>): TE.TaskEither<string, A> =>
  manage(config, (ask) => askFor(ask, operation), operation.keys)

/** Asks step after step, each from `next` of the one before, until there is none or the sum of them is enough. */
export const inSteps =
  <Step extends { readonly next?: string | undefined }, Sum>(
    ask: (next: string | undefined, sum: Sum | undefined) => TE.TaskEither<string, Step>,
    add: (sum: Sum | undefined, step: Step) => Sum,
    isEnough: (sum: Sum) => boolean = () => false,
  ): TE.TaskEither<string, Sum> =>
  async () => {
    let sum: Sum | undefined
    let next: string | undefined
    for (;;) {
      const step: E.Either<string, Step> = await ask(next, sum)()
      if (E.isLeft(step)) return step
      const total = add(sum, step.right)
      sum = total
      next = step.right.next
      if (next === undefined || isEnough(total)) return E.right(total)
    }
  }
