import type { Store } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import * as assert from 'uvu/assert'
import type { StoreOptions } from '../../src/index.js'
import { opened } from './temporary-store.js'

/** Three services on one database. */
export type Services = {
  readonly url: string
  readonly stores: readonly [Store, Store, Store]
  readonly close: () => Promise<void>
}

export const openServices = async (url: string, changes: Partial<StoreOptions> = {}): Promise<Services> => {
  const stores = [await opened(url, changes), await opened(url, changes), await opened(url, changes)] as const
  const close = async (): Promise<void> => {
    for (const store of stores) await store.close()
  }
  return { url, stores, close }
}

export const numbers = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index)

/** Starts all operations at once, on the services in alternation. */
export const atOnce = <Failure, Value>(
  { stores }: Services,
  count: number,
  task: (store: Store, index: number) => TE.TaskEither<Failure, Value>,
): Promise<ReadonlyArray<E.Either<Failure, Value>>> =>
  Promise.all(numbers(count).map((index) => task(stores[index % 3] ?? stores[0], index)()))

/** Fails for each outcome that is neither a success nor one of the refusals. */
export const expectOnly = (
  outcomes: ReadonlyArray<E.Either<{ readonly error: string }, unknown>>,
  ...refusals: ReadonlyArray<string>
): void => {
  const others = outcomes.filter((each) => E.isLeft(each) && !refusals.includes(each.left.error))
  assert.equal(
    others.map((each) => (E.isLeft(each) ? JSON.stringify(each.left) : '')),
    [],
  )
}

export const successes = (outcomes: ReadonlyArray<E.Either<unknown, unknown>>): number =>
  outcomes.filter(E.isRight).length
