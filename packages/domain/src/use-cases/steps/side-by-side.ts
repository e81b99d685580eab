import type * as T from 'fp-ts/lib/Task.js'

/** Runs the tasks, so many at a time and each as soon as there is room; the results come in any order. */
export const sideBySide =
  (lanes: number) =>
  <A>(tasks: ReadonlyArray<T.Task<A>>): T.Task<ReadonlyArray<A>> =>
  () => {
    // Shared by the lanes, so that nothing waits behind a slow task while one of them is free.
    const waiting = tasks.values()
    const lane = (done: ReadonlyArray<A>): Promise<ReadonlyArray<A>> => {
      const next = waiting.next()
      return next.done === true ? Promise.resolve(done) : next.value().then((result) => lane([...done, result]))
    }
    return Promise.all(Array.from({ length: lanes }, () => lane([]))).then((all) => all.flat())
  }
