import type * as TE from 'fp-ts/lib/TaskEither.js'
import * as E from 'fp-ts/lib/Either.js'
import type { Test } from 'uvu'
import type { RegisteredClient } from '../../client/registered-client.js'
import type { ClientRegistry } from '../../ports/client-registry.js'
import type { InMemoryStore } from '../../in-memory/store.js'

/** The ports of one new, empty store, and how it is given up. */
export type OpenedPorts = Omit<InMemoryStore, 'clients' | 'tokens'> & { readonly close: () => Promise<void> }
export type OpenPorts = () => Promise<OpenedPorts>

/** A test on a new store, which is given up whatever happens. */
export const onNewStore =
  (test: Test, open: OpenPorts) =>
  (name: string, body: (ports: OpenedPorts) => Promise<void>): void => {
    test(name, async () => {
      const ports = await open()
      try {
        await body(ports)
      } finally {
        await ports.close()
      }
    })
  }

/** What the task succeeds with. */
export const done = async <Failure, Value>(task: TE.TaskEither<Failure, Value>): Promise<Value> => {
  const outcome = await task()
  if (E.isLeft(outcome)) throw new Error(`refused: ${JSON.stringify(outcome.left)}`)
  return outcome.right
}

/** What the task is refused with. */
export const refused = async <Failure, Value>(task: TE.TaskEither<Failure, Value>): Promise<Failure> => {
  const outcome = await task()
  if (E.isRight(outcome)) throw new Error('not refused')
  return outcome.left
}

export const listed = async (registry: ClientRegistry): Promise<ReadonlyArray<RegisteredClient>> => {
  const clients: Array<RegisteredClient> = []
  for await (const each of registry.streamClients()) {
    if (E.isLeft(each)) throw new Error(`not listed: ${String(each.left.detail)}`)
    clients.push(each.right)
  }
  return clients
}
