import type * as T from 'fp-ts/lib/Task.js'

/** Runs the tasks with limited concurrency; the results come in any order. */
export const mapConcurrently =
  (concurrency: number) =>
  <A>(tasks: ReadonlyArray<T.Task<A>>): T.Task<ReadonlyArray<A>> =>
  () => {
    // One shared iterator, so that no task waits behind a slow one while there is room.
    const waiting = tasks.values()
    const lane = (done: ReadonlyArray<A>): Promise<ReadonlyArray<A>> => {
      const next = waiting.next()
      return next.done === true ? Promise.resolve(done) : next.value().then((result) => lane([...done, result]))
    }
    return Promise.all(Array.from({ length: concurrency }, () => lane([]))).then((all) => all.flat())
  }
