// Group commit: writes that arrive during a commit share the next one, and are answered when it is on disk.
import { type Unavailable, unavailable } from '@clientele/domain'
import { createOperations } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Batches, Write } from './batch.js'
import { codeOf } from './store-refusal.js'

const maxWaiting = 10_000
const maxBatch = 512
/** Milliseconds to wait for the write lock; the pause between two tries. */
const patience = 2_000
const pause = 20

export type WriteQueue = {
  /**
   * Runs in a transaction, and once more if a write of the same commit throws: it changes nothing but the store. A Left
   * must come before the first write; a write that throws is undone, without effect on the others.
   */
  readonly write: <Refusal, Result>(run: () => E.Either<Refusal, Result>) => TaskEither<Refusal | Unavailable, Result>
  /** The same, after a preparation outside of the transaction, for example sealing. */
  readonly writePrepared: <Prepared, Failure, Refusal, Result>(
    prepare: TaskEither<Failure, Prepared>,
    run: (prepared: Prepared) => E.Either<Refusal, Result>,
  ) => TaskEither<Failure | Refusal | Unavailable, Result>
  /** Resolves when all earlier requests are answered. */
  readonly drained: () => Promise<void>
}

const isBusy = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error))

type Worker = {
  readonly enqueue: (write: Write) => void
  readonly waiting: () => number
  readonly drained: () => Promise<void>
}

const createWorker = (batches: Batches): Worker => {
  const waiting: Array<Write> = []
  const idle: Array<() => void> = []
  let working: boolean = false
  let busySince: number | undefined = undefined

  const giveUp = (error: unknown): void => {
    busySince = undefined
    for (const write of waiting.splice(0)) write.fail(error)
  }

  const workOnce = (): void => {
    const begun = batches.begin()
    if (E.isRight(begun)) {
      busySince = undefined
      return void waiting.unshift(...batches.commit(waiting.splice(0, maxBatch)))
    }
    busySince ??= performance.now()
    if (!isBusy(begun.left) || performance.now() - busySince > patience) giveUp(begun.left)
  }

  const work = (): void => {
    workOnce()
    working = waiting.length > 0
    if (!working) for (const resolve of idle.splice(0)) resolve()
    // The event loop is not blocked by the lock of another process: the queue tries again later.
    else if (busySince === undefined) setImmediate(work)
    else setTimeout(work, pause)
  }

  return {
    enqueue: (write) => {
      waiting.push(write)
      if (!working) setImmediate(work)
      working = true
    },
    waiting: () => waiting.length,
    drained: () => new Promise((resolve) => (working ? idle.push(resolve) : resolve())),
  }
}

const createWrite =
  ({ enqueue, waiting }: Worker): WriteQueue['write'] =>
  (run) =>
  () =>
    new Promise((resolve) => {
      if (waiting() >= maxWaiting) return resolve(E.left(unavailable('too many writes wait already')))
      const fail = (detail: unknown): void => resolve(E.left(unavailable(detail)))
      const ran: { outcome?: ReturnType<typeof run> } = {}
      enqueue({
        run: () => (ran.outcome = run()),
        settle: () => (ran.outcome === undefined ? fail('the write did not run') : resolve(ran.outcome)),
        fail,
      })
    })

export const createWriteQueue = (batches: Batches): WriteQueue => {
  const worker = createWorker(batches)
  const write = createWrite(worker)
  const { track, end } = createOperations()
  return {
    write,
    writePrepared: (prepare, run) =>
      track(
        pipe(
          prepare,
          TE.flatMap((made) => write(() => run(made))),
        ),
      ),
    drained: async () => {
      await end()
      await worker.drained()
    },
  }
}
