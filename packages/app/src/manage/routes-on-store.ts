// The routes of management on the store, in the process of a command, where no service runs.
import { createPageRenderer } from '@clientele/adapters-http'
import { type FetchHandler, createManagementHandler } from '@clientele/adapters-http/fetch'
import { type KeyRotationScheduler, createKeyRotationScheduler } from '@clientele/adapters-jose'
import type { KeyRing } from '@clientele/domain/keys'
import { manageKeys, manageNotifications } from '@clientele/domain/operations'
import { unlimited } from '@clientele/domain/ports'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { randomUUID } from 'node:crypto'
import type { Config } from '../config/settings.js'
import { portsOf } from '../data/operation-ports.js'
import type { OpenedData } from '../data/open-data.js'
import { routePorts } from '../http-ports.js'
import { keyPorts } from '../running/key-rotation.js'
import { keySettings } from '../config/keys.js'
import { createLog } from '../observing/log.js'
import { baseUrlAt, httpSettings } from '../config/listening.js'
import { serviceOf } from '../config/pages.js'
import { printable } from '../text.js'
import { refusalText } from './read-answer.js'

/** What a command asks of the key rings: nothing, all stored ones, the set that is published, or, where there are none, new ones. */
export type NeededKeys = 'none' | 'stored' | 'published' | 'made'

const unavailableStore = 'the store cannot answer now: try again'

const logNothing = createLog('silent', { write: () => true, writableLength: 0 })

/** The answer to a request on the store, or one line for the operator. */
export type AskStore = (request: Request) => TE.TaskEither<string, Response>

type Stored = { stored?: ReadonlyArray<KeyRing> }

const preparations = (
  { store }: OpenedData,
  { refreshKeys, lastRead, reconcile }: KeyRotationScheduler,
  rings: Stored,
): Readonly<Record<NeededKeys, TE.TaskEither<unknown, void>>> => ({
  none: TE.right(undefined),
  stored: pipe(
    store.keyRings.readKeyRings,
    TE.map((stored) => void (rings.stored = stored)),
  ),
  // A refresh that cannot read leaves what was there: nothing.
  published: pipe(
    TE.fromTask(refreshKeys),
    TE.filterOrElse(
      () => lastRead().age !== Infinity,
      () => unavailableStore,
    ),
  ),
  made: reconcile,
})

/** Runs with the routes; as file permissions let only the operator open the store, its requests are the operator's. */
export const withRoutesOnStore = <A>(
  config: Config,
  data: OpenedData,
  keys: NeededKeys,
  run: (ask: AskStore) => TE.TaskEither<string, A>,
): TE.TaskEither<string, A> => {
  const settings = keySettings(config)
  const ports = keyPorts(data)
  const operations = portsOf(config, data)
  const rotation = createKeyRotationScheduler({ settings, ports })
  const rings: Stored = {}
  const prepared = preparations(data, rotation, rings)[keys]
  let failure: unknown
  const handlerWith = (renderPage: Parameters<typeof routePorts>[0]['renderPage']): FetchHandler =>
    createManagementHandler(
      {
        ...httpSettings(config, data.masterTokenHashes(data), baseUrlAt(config, config.port)),
        basePath: '',
        operatorAlone: 'command',
      },
      {
        ...routePorts({
          config,
          data,
          operations,
          log: logNothing,
          isDraining: () => false,
          reports: () => [],
          // A change answers when it is stored: nothing in this process signs with the keys afterwards.
          rotation: {
            ...rotation,
            keyRings: () => rings.stored ?? rotation.keyRings(),
            keys: manageKeys(settings, ports),
          },
          dispatcher: {
            notifications: manageNotifications({ delivers: config['outbound-fetches'] }, operations),
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
  const done = pipe(
    prepared,
    TE.mapLeft((refusal) => refusalText(refusal, unavailableStore)),
    TE.flatMap(() =>
      pipe(
        TE.fromEither(createPageRenderer({ service: serviceOf(config) })),
        TE.mapBoth(({ description }) => description, handlerWith),
        TE.map(
          (handler): AskStore =>
            (request) =>
              pipe(
                TE.fromTask(() => handler(request)),
                TE.filterOrElse(
                  ({ status }) => status < 500,
                  ({ status }) =>
                    status === 503 ? unavailableStore : `the command failed: ${printable(String(failure))}`,
                ),
              ),
        ),
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
