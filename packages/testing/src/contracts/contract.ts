// What the contracts have in common: tests over two handles on a new store, and how they read what it returns.
import { operatorOfTheStore } from '@clientele/domain/authorization'
import type { ClientRegistry, SealedAnew, Sealing, StoragePorts, Store } from '@clientele/domain/ports'
import type { RegisteredClient } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import * as assert from 'uvu/assert'

/** One promise of a port, as a test for any runner: `run` rejects if the promise is broken. */
export type ContractTest = { readonly name: string; readonly run: () => Promise<void> }

/** The promises of a port: `for (const { name, run } of contract) test(name, run)`. */
export type Contract = ReadonlyArray<ContractTest>

/**
 * Two handles on one store, like those of two instances of a service: each reads what the other writes. `close` closes
 * both.
 */
export type OpenedStore<Handle extends StoragePorts = Store> = {
  readonly one: Handle
  readonly other: Handle
  readonly close: () => Promise<void>
}

/** Opens a new, empty store. */
export type OpenStore<Handle extends StoragePorts = Store> = () => Promise<OpenedStore<Handle>>

/** A handle, and the other one beside it. */
export type Handles<Handle extends StoragePorts = StoragePorts> = Handle & { readonly other: Handle }

type Add = (name: string, run: () => Promise<void> | void) => void

/** Collects tests under the name of their subject. */
export const collect = (subject: string): { readonly test: Add; readonly tests: Contract } => {
  const tests: Array<ContractTest> = []
  return { tests, test: (name, run) => void tests.push({ name: `${subject}: ${name}`, run: async () => run() }) }
}

/** Adds a case with a new store. */
export type It<Handle extends StoragePorts = StoragePorts> = (
  name: string,
  body: (ports: Handles<Handle>) => Promise<void>,
) => void

/** The promises about a subject: each case has a new store, which is prepared first and always closed afterwards. */
export const contract =
  <Handle extends StoragePorts = StoragePorts>(
    subject: string,
    addCases: (it: It<Handle>) => void,
    prepare: (ports: Handle) => Promise<unknown> = () => Promise.resolve(),
  ) =>
  (name: string, open: OpenStore<Handle>): Contract => {
    const { test, tests } = collect(`${subject} ${name}`)
    addCases((title, body) =>
      test(title, async () => {
        const { one, other, close } = await open()
        try {
          await prepare(one)
          await body({ ...one, other })
        } finally {
          await close()
        }
      }),
    )
    return tests
  }

/** Several contracts as one. */
export const contracts =
  (...parts: ReadonlyArray<(name: string, open: OpenStore<StoragePorts>) => Contract>) =>
  (name: string, open: OpenStore<StoragePorts>): Contract =>
    parts.flatMap((part) => part(name, open))

/** The result of a task that succeeds. */
export const done = async <Failure, Value>(task: TE.TaskEither<Failure, Value>): Promise<Value> => {
  const outcome = await task()
  if (E.isLeft(outcome)) throw new Error(`refused: ${JSON.stringify(outcome.left)}`)
  return outcome.right
}

/** The refusal of a task that fails. */
export const refused = async <Failure, Value>(task: TE.TaskEither<Failure, Value>): Promise<Failure> => {
  const outcome = await task()
  if (E.isRight(outcome)) throw new Error('not refused')
  return outcome.left
}

/** The numbers from 0. */
export const numbers = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index)

/** Starts all operations at once, on two handles in alternation. */
export const race = <Item, Failure, Value>(
  ports: Handles,
  items: ReadonlyArray<Item>,
  task: (handle: StoragePorts, item: Item) => TE.TaskEither<Failure, Value>,
): Promise<ReadonlyArray<E.Either<Failure, Value>>> =>
  Promise.all(items.map((item, index) => task(index % 2 === 0 ? ports : ports.other, item)()))

/** The entries of all pages, of which each has no more than the maximum and begins after the one before it. */
export const inPages = async <Page extends { readonly next?: number | undefined }, Entry>(
  max: number,
  read: (after: number) => TE.TaskEither<unknown, Page>,
  entriesOf: (page: Page) => ReadonlyArray<Entry>,
): Promise<ReadonlyArray<Entry>> => {
  const found: Array<Entry> = []
  let after: number | undefined = 0
  while (after !== undefined) {
    const page: Page = await done(read(after))
    const entries = entriesOf(page)
    assert.ok(entries.length <= max)
    assert.ok(page.next === undefined || page.next > after)
    found.push(...entries)
    after = page.next
  }
  return found
}

/** All clients of a registry; each must be readable. */
export const listed = async (registry: ClientRegistry): Promise<ReadonlyArray<RegisteredClient>> => {
  const clients: Array<RegisteredClient> = []
  for await (const each of registry.streamClients()) {
    if (E.isLeft(each)) throw new Error(`not listed: ${String(each.left.detail)}`)
    clients.push(each.right)
  }
  return clients
}

export type SealingCounts = Omit<SealedAnew, 'next'>

/** All steps of sealing anew. */
export const sealedInSteps = async ({ sealAnew }: Sealing, dryRun = false): Promise<SealingCounts> => {
  const counts = { values: 0, sealed: 0, unreadable: 0 }
  let after: string | undefined
  do {
    const step: SealedAnew = await done(sealAnew(operatorOfTheStore())({ after, dryRun }))
    counts.values += step.values
    counts.sealed += step.sealed
    counts.unreadable += step.unreadable
    after = step.next
  } while (after !== undefined)
  return counts
}
