// The schedule of the keys in the running service: what is due happens at its moment, and is looked for every minute, so that
// neither sleep nor a clock that is set anew leaves a key behind.
import type { KeyManagement, KeyRing, KeySettings, ManageKeysPorts } from '@clientele/domain'
import { keepKeyRings, keysOf, manageKeys, nextChange, ringFaults } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Log } from './log.js'

export type KeyKeeper = {
  /** The rings as they are stored, and therefore published, now. */
  readonly keyRings: () => ReadonlyArray<KeyRing>
  readonly keys: KeyManagement
  /** Does what is due now; the schedule calls it at the right moments. */
  readonly look: () => Promise<void>
  readonly stop: () => Promise<void>
}

export type KeyKeeperOptions = { readonly settings: KeySettings; readonly ports: ManageKeysPorts; readonly log: Log }

type Kept = {
  rings: ReadonlyArray<KeyRing>
  timer: NodeJS.Timeout | undefined
  /** Settles when the last turn is over. */
  turns: Promise<unknown>
  stopped: boolean
}

const longestWait = 60_000
const shortestWait = 1_000

const waitUntilDue = ({ settings, ports }: KeyKeeperOptions, rings: ReadonlyArray<KeyRing>): number => {
  const due = Math.min(...rings.map((ring) => nextChange(settings.policy, ring)))
  return Math.max(shortestWait, Math.min(longestWait, (due - ports.now()) * 1000))
}

// One after the other, so that no look takes up what is older, and nobody makes keys for what has changed meanwhile.
const inTurn = <A>(kept: Kept, run: () => Promise<A>): Promise<A> => {
  const turn = kept.turns.then(run)
  kept.turns = turn.catch(() => undefined)
  return turn
}

const schedule = (options: KeyKeeperOptions, kept: Kept, wait: number): void => {
  clearTimeout(kept.timer)
  if (!kept.stopped) kept.timer = setTimeout(() => void inTurn(kept, look(options, kept)), wait).unref()
}

// What became of a ring, by the names of its keys: who wants to know when a key signed finds it in the log.
const logChanges = (log: Log, before: ReadonlyArray<KeyRing>, after: ReadonlyArray<KeyRing>): void => {
  for (const ring of after) {
    const known = before.find(({ alg, use }) => alg === ring.alg && use === ring.use)
    if (known?.version === ring.version) continue
    const keys = Object.fromEntries(keysOf(ring).map(({ key, phase }) => [key.kid, phase]))
    log.info({ alg: ring.alg, use: ring.use, keys }, 'a key ring changed')
  }
}

const takeUp = (options: KeyKeeperOptions, kept: Kept, rings: ReadonlyArray<KeyRing>): void => {
  logChanges(options.log, kept.rings, rings)
  kept.rings = rings
}

const look = (options: KeyKeeperOptions, kept: Kept) => async (): Promise<void> => {
  const rings = await keepKeyRings(options.settings, options.ports)()
  if (E.isRight(rings)) takeUp(options, kept, rings.right)
  else options.log.error({ detail: rings.left }, 'what is due with the keys could not be done; it is tried again')
  schedule(options, kept, E.isRight(rings) ? waitUntilDue(options, rings.right) : shortestWait)
}

const begun = (options: KeyKeeperOptions, rings: ReadonlyArray<KeyRing>): KeyKeeper => {
  const kept: Kept = { rings, timer: undefined, turns: Promise.resolve(), stopped: false }
  const management = manageKeys(options.settings, options.ports)
  const takenUp =
    <Refused, Answer>(operation: TE.TaskEither<Refused, Answer>): TE.TaskEither<Refused, Answer> =>
    () =>
      inTurn(
        kept,
        pipe(
          operation,
          TE.tapTask(() => look(options, kept)),
        ),
      )
  schedule(options, kept, waitUntilDue(options, rings))
  return {
    keyRings: () => kept.rings,
    keys: {
      listKeys: management.listKeys,
      rollOver: (request) => takenUp(management.rollOver(request)),
      compromise: (request) => takenUp(management.compromise(request)),
      importKeys: (request) => takenUp(management.importKeys(request)),
    },
    look: () => inTurn(kept, look(options, kept)),
    stop: async () => {
      kept.stopped = true
      clearTimeout(kept.timer)
      await kept.turns
    },
  }
}

const sound = (rings: ReadonlyArray<KeyRing>): E.Either<string, ReadonlyArray<KeyRing>> => {
  const faults = ringFaults(rings)
  return faults.length === 0 ? E.right(rings) : E.left(faults.join('\n'))
}

const refusalOf = (failure: { readonly error: string; readonly alg?: string }): string =>
  failure.error === 'unreadable_key_ring'
    ? `the key ring of ${failure.alg} cannot be opened: it was probably sealed with another encryption-key; ` +
      'set that one as well, or restore a backup'
    : 'the key rings cannot be read or stored now'

/** Reads the rings, does what is due, and goes on with it; or one line that says why the service must not start. */
export const startKeyKeeper = (options: KeyKeeperOptions): TE.TaskEither<string, KeyKeeper> =>
  pipe(
    options.ports.readKeyRings,
    TE.mapLeft(refusalOf),
    TE.flatMapEither(sound),
    TE.flatMap((stored) =>
      pipe(
        keepKeyRings(options.settings, options.ports),
        TE.mapLeft(refusalOf),
        TE.tapIO((rings) => () => logChanges(options.log, stored, rings)),
      ),
    ),
    TE.map((rings) => begun(options, rings)),
  )
