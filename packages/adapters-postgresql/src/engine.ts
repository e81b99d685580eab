// Group commit: verbs that arrive together run in one transaction, and are answered when it is committed.
import { type Engine, type Names, type Verb, createOperations } from '@clientele/adapters-sql'
import type { Unavailable } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { type Batching, createQueue } from './queue.js'
import type { Transact } from './transact.js'

/** Batches at the same time, each on a connection of its own. */
const maxBatches = 4

/** Names of verbs: one that is changed is of one verb; one that is relied on, of several. */
const createNamed = () => {
  const changed = new Set<string>()
  const relied = new Map<string, number>()
  return {
    /** Whether a verb with these names may run beside the others. */
    permits: ({ changes = [], relies = [] }: Names): boolean =>
      !changes.some((name) => changed.has(name) || relied.has(name)) && !relies.some((name) => changed.has(name)),
    add: ({ changes = [], relies = [] }: Names): void => {
      for (const name of changes) changed.add(name)
      for (const name of relies) relied.set(name, (relied.get(name) ?? 0) + 1)
    },
    remove: ({ changes = [], relies = [] }: Names): void => {
      for (const name of changes) changed.delete(name)
      for (const name of relies) {
        const others = (relied.get(name) ?? 0) - 1
        if (others > 0) relied.set(name, others)
        else relied.delete(name)
      }
    },
  }
}

/** Verbs that share no name run at the same time; what is counted is of one batch. */
const byNames = (maxTogether: number): Batching<Verb<unknown, unknown>> => {
  const running = createNamed()
  const counted = new Set<string>()
  return {
    maxBatches,
    take: (waiting) => {
      // One that is left comes before later ones that name the same, so that none waits for ever.
      const passedBy = createNamed()
      const counts: Array<string> = []
      let taken = 0
      const isTaken = waiting.map(({ names }) => {
        const isCounted = names.counts?.some((name) => counted.has(name)) ?? false
        if (taken >= maxTogether || isCounted || !running.permits(names) || !passedBy.permits(names)) {
          passedBy.add(names)
          return false
        }
        taken += 1
        running.add(names)
        counts.push(...(names.counts ?? []))
        return true
      })
      for (const name of counts) counted.add(name)
      return isTaken
    },
    release: (batch) => {
      for (const { names } of batch) {
        running.remove(names)
        for (const name of names.counts ?? []) counted.delete(name)
      }
    },
  }
}

export type Writes = Pick<Engine, 'write'> & { readonly end: () => Promise<void> }

export const createWrites = (transact: Transact, maxTogether: number): Writes => {
  const { track, end } = createOperations()
  const add = createQueue<Verb<unknown, unknown>, unknown, unknown>(transact, byNames(maxTogether))
  return {
    end,
    write: <Failure, Refusal, Result>(made: TaskEither<Failure, Verb<Refusal, Result>>) =>
      track(async (): Promise<E.Either<Failure | Refusal | Unavailable, Result>> => {
        const verb = await made()
        // The answer is that of this verb.
        return E.isLeft(verb) ? verb : ((await add(verb.right)()) as E.Either<Refusal | Unavailable, Result>)
      }),
  }
}
