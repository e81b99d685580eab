// The keys in the running service: checked at start, rotated by the schedule, with all changes in the log.
import {
  type KeyRotationFailure,
  type KeyRotationPorts,
  type KeyRotationScheduler,
  createKeyMaker,
  createKeyRotationScheduler,
} from '@clientele/adapters-jose'
import { type KeySettings, type KeyState, keysOf, ringFaults, secondsBehind, unreadKeys } from '@clientele/domain/keys'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { OpenedData } from '../data/open-data.js'
import type { Log } from '../observing/log.js'

/** The ports of the keys, for the running service and for commands. */
export const keyPorts = ({ store, operations }: OpenedData): KeyRotationPorts => ({
  ...operations,
  ...store.keyRings,
  ...store.foreignKeys,
  ...store.leases,
  ...createKeyMaker(),
})

type KeyRotationOptions = {
  readonly settings: KeySettings
  readonly ports: KeyRotationPorts
  readonly log: Log
}

// Logs the changes of a ring by the names of its keys, so that the log shows when a key signed.
const logRings = (log: Log, before: KeyState, after: KeyState): void => {
  for (const ring of after.published) {
    const known = before.rings.find(({ alg, use }) => alg === ring.alg && use === ring.use)
    if (known?.version === ring.version) continue
    const keys = Object.fromEntries(keysOf(ring).map(({ key, phase }) => [key.kid, phase]))
    log.info({ alg: ring.alg, use: ring.use, keys }, 'a key ring changed')
  }
}

const logChange = (log: Log, before: KeyState, after: KeyState): void => {
  if (before !== unreadKeys) logRings(log, before, after)
  const isHolder = after.leasedUntil !== undefined
  if (isHolder === (before.leasedUntil !== undefined)) return
  log.info({}, isHolder ? 'this instance manages the key rings' : 'this instance no longer manages the key rings')
}

const refusalOf = (failure: KeyRotationFailure): string =>
  failure.error === 'unreadable_key_ring'
    ? `the key ring of ${failure.alg} cannot be opened: it was probably sealed with another encryption-key; ` +
      'set that one as well, or restore a backup'
    : 'the key rings cannot be read or stored now'

const valid = ({ ports, log }: KeyRotationOptions): TE.TaskEither<string, void> =>
  pipe(
    ports.readKeyRings,
    TE.bindTo('rings'),
    TE.bindW('foreign', () => ports.readForeignKeys),
    TE.bindW('at', () => ports.readStoreTime),
    TE.mapLeft(refusalOf),
    TE.flatMapEither(({ rings, foreign, at }) => {
      // Before any time of a key is moved: afterwards, nothing in the rings shows that the clock went back.
      const seconds = Math.max(0, ...rings.map(secondsBehind(at)))
      if (seconds > 0)
        log.warn(
          { seconds },
          'the clock is behind the last change of a key: synchronize it by NTP; until then the times of the keys are set back to it',
        )
      const faults = ringFaults(rings, foreign)
      return faults.length === 0 ? E.right(undefined) : E.left(faults.join('\n'))
    }),
  )

/** Reads the keys, makes due changes, and continues by schedule; or refuses the start in one line. */
export const startKeyRotation = (options: KeyRotationOptions): TE.TaskEither<string, KeyRotationScheduler> => {
  const { log, ...scheduled } = options
  const rotation = createKeyRotationScheduler({
    ...scheduled,
    onChange: (before, after) => logChange(log, before, after),
    onFailure: (failure) => {
      const detail = failure.error === 'unavailable' ? failure.detail : refusalOf(failure)
      log.error({ detail }, 'what is due with the keys could not be done; it is tried again')
    },
  })
  return pipe(
    valid(options),
    TE.flatMap(() =>
      pipe(
        rotation.start,
        TE.mapLeft(refusalOf),
        TE.tapError(() => TE.fromTask(rotation.stop)),
      ),
    ),
    TE.map(() => rotation),
  )
}
