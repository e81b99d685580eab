import * as E from 'fp-ts/lib/Either.js'
import { unavailable } from '../errors.js'
import type { Pauses, Turns } from '../ports/turns.js'

/** The maximum number of operations that wait for one name. */
const maxWaiting = 1_000

type Queue = { waiting: number; last: Promise<unknown> }

/** One queue for each name, removed when it is empty. */
export const createTurns = (pauses: Pauses): Turns => {
  const queues = new Map<string, Queue>()
  const queueOf = (name: string): Queue => {
    const queue = queues.get(name) ?? { waiting: 0, last: Promise.resolve() }
    queues.set(name, queue)
    return queue
  }
  return {
    ...pauses,
    serialize: (name) => (operation) => async () => {
      const queue = queueOf(name)
      if (queue.waiting >= maxWaiting) return E.left(unavailable('too many operations on one thing wait'))
      queue.waiting += 1
      const turn = queue.last.then(operation)
      queue.last = turn.catch(() => undefined)
      try {
        return await turn
      } finally {
        queue.waiting -= 1
        if (queue.waiting === 0) queues.delete(name)
      }
    },
  }
}
