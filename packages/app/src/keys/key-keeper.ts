// The schedule of the keys in the running service: what is due happens at its moment, and is looked for every minute, so that
// neither sleep nor a clock that is set anew leaves a key behind.
import type {
  ForOperator,
  ForeignKey,
  JwkSetSource,
  KeepKeyRingsError,
  KeyManagement,
  KeyRing,
  KeySettings,
  ManageKeysPorts,
} from '@clientele/domain'
import { keepKeyRings, keysOf, manageKeys, nextChange, publishJwkSet, ringFaults } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Log } from '../observing/log.js'

export type KeyKeeper = {
  /** The rings as they are stored, and therefore published, now. */
  readonly keyRings: () => ReadonlyArray<KeyRing>
  /** The keys of other signers as they are stored, and therefore published, now. */
  readonly foreignKeys: () => ReadonlyArray<ForeignKey>
  /** The public halves as they are published now. */
  readonly publishedJwkSet: JwkSetSource['publishedJwkSet']
  readonly keys: ForOperator<KeyManagement>
  /** Does what is due now; the schedule calls it at the right moments. */
  readonly look: () => Promise<void>
  readonly stop: () => Promise<void>
}

export type KeyKeeperOptions = { readonly settings: KeySettings; readonly ports: ManageKeysPorts; readonly log: Log }

/** What is published. */
type Published = { readonly rings: ReadonlyArray<KeyRing>; readonly foreign: ReadonlyArray<ForeignKey> }

type Kept = {
  published: Published
  publishedJwkSet: JwkSetSource['publishedJwkSet']
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

/** Does what is due, and reads what is published then. */
const keep = ({ settings, ports }: KeyKeeperOptions): TE.TaskEither<KeepKeyRingsError, Published> =>
  pipe(
    keepKeyRings(settings, ports),
    TE.bindTo('rings'),
    TE.bindW('foreign', () => ports.readForeignKeys),
  )

const publishing = ({ settings, ports }: KeyKeeperOptions, published: Published) => ({
  published,
  publishedJwkSet: publishJwkSet(settings.policy, ports)(published.rings, published.foreign),
})

const look = (options: KeyKeeperOptions, kept: Kept) => async (): Promise<void> => {
  const done = await keep(options)()
  if (E.isRight(done)) {
    logChanges(options.log, kept.published.rings, done.right.rings)
    Object.assign(kept, publishing(options, done.right))
  } else options.log.error({ detail: done.left }, 'what is due with the keys could not be done; it is tried again')
  schedule(options, kept, E.isRight(done) ? waitUntilDue(options, done.right.rings) : shortestWait)
}

const begun = (options: KeyKeeperOptions, published: Published): KeyKeeper => {
  const kept: Kept = { ...publishing(options, published), timer: undefined, turns: Promise.resolve(), stopped: false }
  const managed = manageKeys(options.settings, options.ports)
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
  schedule(options, kept, waitUntilDue(options, published.rings))
  return {
    keyRings: () => kept.published.rings,
    foreignKeys: () => kept.published.foreign,
    publishedJwkSet: () => kept.publishedJwkSet(),
    keys: (operator) => {
      const management = managed(operator)
      return {
        listKeys: management.listKeys,
        rollOver: (request) => takenUp(management.rollOver(request)),
        compromise: (request) => takenUp(management.compromise(request)),
        importKeys: (request) => takenUp(management.importKeys(request)),
        importForeignKeys: (request) => takenUp(management.importForeignKeys(request)),
        removeForeignKey: (kid) => takenUp(management.removeForeignKey(kid)),
      }
    },
    look: () => inTurn(kept, look(options, kept)),
    stop: async () => {
      kept.stopped = true
      clearTimeout(kept.timer)
      await kept.turns
    },
  }
}

const valid = ({ rings, foreign }: Published): E.Either<string, Published> => {
  const faults = ringFaults(rings, foreign)
  return faults.length === 0 ? E.right({ rings, foreign }) : E.left(faults.join('\n'))
}

const refusalOf = (failure: { readonly error: string; readonly alg?: string }): string =>
  failure.error === 'unreadable_key_ring'
    ? `the key ring of ${failure.alg} cannot be opened: it was probably sealed with another encryption-key; ` +
      'set that one as well, or restore a backup'
    : 'the key rings cannot be read or stored now'

const stored = ({ ports }: KeyKeeperOptions): TE.TaskEither<string, Published> =>
  pipe(
    ports.readKeyRings,
    TE.bindTo('rings'),
    TE.bindW('foreign', () => ports.readForeignKeys),
    TE.mapLeft(refusalOf),
    TE.flatMapEither(valid),
  )

/** Reads the keys, does what is due, and goes on with it; or one line that says why the service must not start. */
export const startKeyKeeper = (options: KeyKeeperOptions): TE.TaskEither<string, KeyKeeper> =>
  pipe(
    stored(options),
    TE.flatMap(({ rings }) =>
      pipe(
        keep(options),
        TE.mapLeft(refusalOf),
        TE.tapIO((published) => () => logChanges(options.log, rings, published.rings)),
      ),
    ),
    TE.map((published) => begun(options, published)),
  )
