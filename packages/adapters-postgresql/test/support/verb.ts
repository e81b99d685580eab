// A verb that writes, for tests that run each.
import type { Store } from '@clientele/domain/ports'
import type * as TE from 'fp-ts/lib/TaskEither.js'

export type Verb = {
  readonly name: string
  /** The statement after which it is committed. */
  readonly commitsBy: string
  readonly prepare: (store: Store) => Promise<unknown>
  readonly act: (store: Store) => TE.TaskEither<unknown, unknown>
  readonly result: unknown
  /** SQL for what is there afterwards. */
  readonly look: string
  readonly left: ReadonlyArray<unknown>
}

export const nothing = (): Promise<void> => Promise.resolve()
export const one = [{ found: 1 }]
export const none = [{ found: 0 }]
export const count = (from: string): string => `SELECT count(*)::int AS found FROM ${from}`

export const verb = (
  name: string,
  commitsBy: string,
  prepare: Verb['prepare'],
  act: Verb['act'],
  look: string,
  left: ReadonlyArray<unknown> = one,
  result?: unknown,
): Verb => ({ name, commitsBy, prepare, act, result, look, left })
