import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import {
  type ClientRegistry,
  type KeyRingChange,
  type KeyRings,
  type RegisteredClient,
  type SealedAnew,
  type Store,
  operatorOfTheStore,
} from '@clientele/domain'

export type StoreHandle = Store

/**
 * Two handles on one store, like those of two instances of a service: each reads what the other writes. `close` closes
 * both.
 */
export type OpenedStore<Names extends keyof StoreHandle = keyof StoreHandle> = {
  readonly one: Pick<StoreHandle, Names>
  readonly other: Pick<StoreHandle, Names>
  readonly close: () => Promise<void>
}

/** Opens a new, empty store. */
export type OpenStore<Names extends keyof StoreHandle = keyof StoreHandle> = () => Promise<OpenedStore<Names>>

/** A handle, and the other one beside it. */
export type StoreHandles<Names extends keyof StoreHandle = keyof StoreHandle> = Pick<StoreHandle, Names> & {
  readonly other: Pick<StoreHandle, Names>
}

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

/** Replaces key rings by a decision of this moment. */
export const replaceRings =
  ({ readStoreTime, replaceKeyRings }: Pick<KeyRings, 'readStoreTime' | 'replaceKeyRings'>) =>
  (changes: ReadonlyArray<KeyRingChange>): ReturnType<KeyRings['replaceKeyRings']> =>
    pipe(
      readStoreTime,
      TE.flatMap((at) => replaceKeyRings(changes, at)),
    )

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
export const sealedInSteps = async ({ sealAnew }: Pick<Store, 'sealAnew'>, dryRun = false): Promise<SealingCounts> => {
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
