import type * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { OpenStore, StoreHandle, StoreHandles } from './open-store.js'

/** One promise of a port, as a test for any runner: `run` rejects if the promise is broken. */
export type ContractTest = { readonly name: string; readonly run: () => Promise<void> }

/** The promises of a port: `for (const { name, run } of contract) test(name, run)`. */
export type Contract = ReadonlyArray<ContractTest>

type Add = (name: string, run: () => Promise<void> | void) => void

/** Collects tests under the name of their subject. */
export const collect = (subject: string): { readonly test: Add; readonly tests: Contract } => {
  const tests: Array<ContractTest> = []
  return { tests, test: (name, run) => void tests.push({ name: `${subject}: ${name}`, run: async () => run() }) }
}

/** Adds tests that each have a new store, which is always closed afterwards. */
export const onNewStore =
  <Names extends keyof StoreHandle>(
    test: Add,
    open: OpenStore<Names>,
    prepare: (ports: Pick<StoreHandle, Names>) => Promise<void> = () => Promise.resolve(),
  ) =>
  (name: string, body: (ports: StoreHandles<Names>) => Promise<void>): void =>
    test(name, async () => {
      const { one, other, close } = await open()
      try {
        await prepare(one)
        await body({ ...one, other })
      } finally {
        await close()
      }
    })

/** Starts all operations at once, on two handles in alternation. */
export const race = <Names extends keyof StoreHandle, Item, Failure, Value>(
  ports: StoreHandles<Names>,
  items: ReadonlyArray<Item>,
  task: (handle: Pick<StoreHandle, Names>, item: Item) => TE.TaskEither<Failure, Value>,
): Promise<ReadonlyArray<E.Either<Failure, Value>>> =>
  Promise.all(items.map((item, index) => task(index % 2 === 0 ? ports : ports.other, item)()))
