import type * as TE from 'fp-ts/lib/TaskEither.js'
import * as E from 'fp-ts/lib/Either.js'
import type { Test } from 'uvu'
import type { ClientRegistry, RegisteredClient, StoragePorts } from '@clientele/domain'

/** The ports of one new, empty store, all of them or those that are named, and how it is given up. */
export type OpenedPorts<Names extends keyof StoragePorts = keyof StoragePorts> = Pick<StoragePorts, Names> & {
  readonly close: () => Promise<void>
}

/** Opens a new, empty store. */
export type OpenPorts<Names extends keyof StoragePorts = keyof StoragePorts> = () => Promise<OpenedPorts<Names>>

/** A test on a new store, which is given up whatever happens. */
export const onNewStore =
  <Names extends keyof StoragePorts>(test: Test, open: OpenPorts<Names>) =>
  (name: string, body: (ports: OpenedPorts<Names>) => Promise<void>): void => {
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

/** All clients of a registry, of which each must be readable. */
export const listed = async (registry: ClientRegistry): Promise<ReadonlyArray<RegisteredClient>> => {
  const clients: Array<RegisteredClient> = []
  for await (const each of registry.streamClients()) {
    if (E.isLeft(each)) throw new Error(`not listed: ${String(each.left.detail)}`)
    clients.push(each.right)
  }
  return clients
}
