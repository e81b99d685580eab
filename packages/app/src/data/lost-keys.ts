// A database that was copied without its write-ahead log may have lost its keys. Generating new ones would leave all
// issued tokens without a key that verifies them.
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { OpenedData } from './open-data.js'

const cause = ({ files }: OpenedData): string =>
  files === undefined
    ? 'it was probably restored in part. '
    : `it was probably copied without its write-ahead log (${files.database}-wal). `

const lost = (data: OpenedData): string =>
  `${data.database} has clients, but no keys: ${cause(data)}` +
  'Restore the whole copy; or, where the keys are gone for good, make new ones by clientele keys create'

const hasClients =
  ({ store }: OpenedData): TE.TaskEither<never, boolean> =>
  async () => {
    for await (const _client of store.registry.streamClients()) return E.right(true)
    return E.right(false)
  }

/** Refuses a store with clients and no key ring, in one line for the operator. */
export const refuseLostKeys = (data: OpenedData): TE.TaskEither<string, void> =>
  pipe(
    data.store.keyRings.readKeyRings,
    // An unreadable client exists: the next reader reports its fault.
    TE.match(
      () => false,
      (rings) => rings.length === 0,
    ),
    TE.fromTask,
    TE.flatMap((none): TE.TaskEither<string, boolean> => (none ? hasClients(data) : TE.right(false))),
    TE.flatMap((isLost) => (isLost ? TE.left(lost(data)) : TE.right(undefined))),
  )
