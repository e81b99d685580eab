// A verb of a store, written once: what it decides about, and the statements by which it decides and writes; a reading; and what
// every engine has, which runs them.
import type { AuditRow } from '@clientele/domain/audit'
import type { ClientId, RegistrationId } from '@clientele/domain/client'
import { type Unavailable, unavailable } from '@clientele/domain/kernel'
import type { ConfirmReads } from '@clientele/domain/ports'
import type { ArtefactKind } from '@clientele/domain/provider'
import type { Registration } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import { type ParameterTypes, type Statement, type Values, change, exists, select, together } from './statement.js'

type Soon<Value> = Value | Promise<Value>

/** The statements of a verb in the transaction of its batch. */
export type Tx = {
  /** The first row; undefined where there is none. */
  readonly get: <Types extends ParameterTypes, Row>(
    statement: Statement<Types, Row>,
    values: Values<Types>,
  ) => Soon<Row | undefined>
  readonly all: <Types extends ParameterTypes, Row>(
    statement: Statement<Types, Row>,
    values: Values<Types>,
  ) => Soon<ReadonlyArray<Row>>
  /** The number of rows that it changed. */
  readonly run: <Types extends ParameterTypes>(statement: Statement<Types>, values: Values<Types>) => Soon<number>
  /** The places that are left: counted once for a batch, whose verbs share them. The verb names what it counts. */
  readonly room: (place: Place) => Soon<number>
  /** Takes one of the places, if one is left. */
  readonly take: (place: Place) => Soon<boolean>
  /** What the verbs of the transaction share: made once, and changed by each without waiting. The verb names what it counts. */
  readonly share: <Value>(shared: Shared<Value>) => Value
  /** Writes the row of the audit log, with what the verb changes. */
  readonly note: (row: AuditRow | undefined) => Soon<unknown>
}

/** A kind of places within a limit, by a statement that counts those that are taken, up to the maximum. */
export type Place = {
  readonly taken: Statement<{ readonly max: 'number' }, { readonly taken: number }>
  /** Infinity for no limit. */
  readonly max: number
}

/** What `make` makes for a transaction. */
export type Shared<Value> = { readonly make: () => Value }

/**
 * What a verb decides about, by names. PostgreSQL locks them in the order of their digests until the transaction ends;
 * SQLite has one writer. The rows that a statement changes are named here, or the statement has the same effect in any order.
 */
export type Names = {
  /** For this verb alone. */
  readonly changes?: ReadonlyArray<string>
  /** Which no other verb changes meanwhile. */
  readonly relies?: ReadonlyArray<string>
  /** What is counted, which the verbs of one batch share (`take`, `share`). */
  readonly counts?: ReadonlyArray<string>
}

/** `run` may run again, before anything is committed: it changes nothing but the store. A refusal undoes what it wrote. */
export type Verb<Refusal, Result> = {
  readonly names: Names
  readonly run: (tx: Tx) => Promise<E.Either<Refusal, Result>>
}

/** A verb that is made: those that need something before, for example a sealed text, follow it by `TE.flatMap`. */
export type Made<Refusal, Result> = TE.TaskEither<never, Verb<Refusal, Result>>

export const verb = <Refusal, Result>(names: Names, run: Verb<Refusal, Result>['run']): Made<Refusal, Result> =>
  TE.right({ names, run })

/** The verb of one statement. */
export const verbOf = <Types extends ParameterTypes>(
  names: Names,
  statement: Statement<Types>,
  values: Values<Types>,
): Made<never, undefined> =>
  verb(names, async (tx) => {
    await tx.run(statement, values)
    return E.right(undefined)
  })

/** The verb that removes what the statement finds, and writes the row of the audit log if there was one; whether there was. */
export const removalOf = <Types extends ParameterTypes>(
  names: Names,
  removal: Statement<Types>,
  values: Values<Types>,
  audit: AuditRow | undefined,
): Made<never, boolean> =>
  verb(names, async (tx) => {
    const isRemoved = (await tx.run(removal, values)) > 0
    if (isRemoved) await tx.note(audit)
    return E.right(isRemoved)
  })

/**
 * Rows are removed in steps of so many. As long as the oldest row has an ordinal of at most this number, nothing was removed:
 * ordinals need not begin with 1, because a transaction that is undone has spent its own.
 */
export const forgottenTogether = 1_000

/** Keeps the last rows of a table, so many at least and a step more at most, after the insertion that made the ordinal. */
export const keepLatest = (table: string, least: number) => {
  const isThere = together(exists(`${table} WHERE ordinal <= :ordinal LIMIT 1`, { ordinal: 'number' }))
  const forget = change(`DELETE FROM ${table} WHERE ordinal <= :ordinal`, { ordinal: 'number' })
  return async (tx: Tx, inserted: { readonly ordinal: number } | undefined): Promise<void> => {
    const ordinal = (inserted?.ordinal ?? 0) - least
    // By what is stored: on PostgreSQL, a transaction that is undone leaves its ordinals out.
    const isDue = ordinal > forgottenTogether && (await tx.get(isThere, { ordinal: ordinal - forgottenTogether }))
    if (isDue) await tx.run(forget, { ordinal })
  }
}

/** The engine of the store: a database, as the verbs and readings need it. */
export type Engine = ConfirmReads & {
  /** Makes the verb, and runs it in the transaction of a batch; it is on disk before it answers. */
  readonly write: <Failure, Refusal, Result>(
    made: TE.TaskEither<Failure, Verb<Refusal, Result>>,
  ) => TE.TaskEither<Failure | Refusal | Unavailable, Result>
  /** Waits until each write that had begun is committed or undone: afterwards, no lower ordinal appears than those before. */
  readonly settle: TE.TaskEither<Unavailable, unknown>
  readonly get: <Types extends ParameterTypes, Row>(
    statement: Statement<Types, Row>,
    values: Values<Types>,
  ) => TE.TaskEither<Unavailable, Row | undefined>
  readonly all: <Types extends ParameterTypes, Row>(
    statement: Statement<Types, Row>,
    values: Values<Types>,
  ) => TE.TaskEither<Unavailable, ReadonlyArray<Row>>
}

class Failed extends Error {
  constructor(readonly failure: Unavailable) {
    super(failure.error)
  }
}

const orThrow = async <Result>(step: TE.TaskEither<Unavailable, Result>): Promise<Result> => {
  const outcome = await step()
  if (E.isLeft(outcome)) throw new Failed(outcome.left)
  return outcome.right
}

export type Reads = {
  readonly get: Tx['get']
  readonly all: Tx['all']
  /** Another reading, or what follows from one. */
  readonly done: <Result>(step: TE.TaskEither<Unavailable, Result>) => Promise<Result>
}

/** A reading of one statement or several, as plain as a verb: the first step that fails ends it. */
export const readOn = <Result>(
  { get, all }: Engine,
  run: (reads: Reads) => Promise<Result>,
): TE.TaskEither<Unavailable, Result> =>
  TE.tryCatch(
    () =>
      run({
        get: (statement, values) => orThrow(get(statement, values)),
        all: (statement, values) => orThrow(all(statement, values)),
        done: orThrow,
      }),
    (error) => (error instanceof Failed ? error.failure : unavailable(error)),
  )

// The names of what verbs decide about. A verb that records something for a client relies on it: its registration does not end
// meanwhile. A verb that adds, replaces or removes the client changes it.

export const clientOf = ({ client_id }: { readonly client_id: string }): string => `client ${client_id}`
export const sessionOf = ({ sid }: { readonly sid: string }): string => `session ${sid}`
export const artefactOf = (kind: ArtefactKind, hash: string): string => `artefact ${kind} ${hash}`
export const consentOf = (sub: string, { registration_id }: { readonly registration_id: string }): string =>
  `consent ${registration_id} ${sub}`
export const initialAccessTokenOf = (hash: string): string => `initial access token ${hash}`

/** The client while its registration exists; none afterwards, also if its client_id is registered again. */
export const selectOrdinal = together(
  select({ ordinal: t.number }, 'clients WHERE client_id = :client_id AND registration_id = :registration_id', {
    client_id: 'text',
    registration_id: 'text',
  }),
)

type Ids = { readonly client_id: ClientId | null; readonly registration_id: RegistrationId | null }

/** The registration of the client that a row refers to, if it does. */
export const registrationOf = ({ client_id, registration_id }: Ids): Registration | undefined =>
  client_id === null || registration_id === null ? undefined : { client_id, registration_id }

/** The end-user session while it has not ended. */
export const selectSession = together(exists('end_user_sessions WHERE sid = :sid', { sid: 'text' }))

/**
 * The places that are left in a transaction, as they are counted for the first verb that asks. Throws where another verb of
 * the batch has another limit: then the engine runs the verbs of the batch one by one.
 */
export const createPlaces = <Left>(): ((place: Place, count: () => Left) => Left) => {
  const counted = new Map<Place['taken'], { readonly max: number; readonly left: Left }>()
  return ({ taken, max }, count) => {
    const known = counted.get(taken) ?? { max, left: count() }
    if (known.max !== max) throw new Error('verbs of a batch have different limits')
    counted.set(taken, known)
    return known.left
  }
}

export const createShares = (): Tx['share'] => {
  const made = new Map<Shared<unknown>, unknown>()
  return <Value>(shared: Shared<Value>) => {
    const value = made.has(shared) ? made.get(shared) : shared.make()
    made.set(shared, value)
    // It was made by `shared`.
    return value as Value
  }
}

export type Operations = {
  /** Runs the operation, unless the store is closed. */
  readonly track: <Failure, Result>(
    operation: TE.TaskEither<Failure, Result>,
  ) => TE.TaskEither<Failure | Unavailable, Result>
  /** Resolves when no operation is pending; later ones are refused. */
  readonly end: () => Promise<void>
}

/** Counts the pending operations: a Set of them would get a new table each time that it becomes empty. */
export const createOperations = (): Operations => {
  const state = { pending: 0, isClosed: false }
  const idle: Array<() => void> = []
  return {
    track: (operation) => async () => {
      if (state.isClosed) return E.left(unavailable('the store is closed'))
      state.pending += 1
      try {
        return await operation()
      } finally {
        state.pending -= 1
        if (state.pending === 0) for (const resolve of idle.splice(0)) resolve()
      }
    },
    end: async () => {
      while (state.pending > 0) await new Promise<void>((resolve) => idle.push(resolve))
      state.isClosed = true
    },
  }
}

/** Milliseconds for which a failure counts although a write succeeds: a small one may find room on a full disk. */
const failureCounts = 5_000

/** Whether the store takes writes, by the outcome of those that were made: readiness is asked often, and writes nothing. */
export type WriteHealth = {
  /** The reason is for people, with the remedy. */
  readonly failed: (reason: string, detail: unknown) => void
  readonly succeeded: () => void
  readonly check: () => E.Either<Unavailable, void>
}

/** `now` is in milliseconds, of a clock that does not go back. */
export const createWriteHealth = (now: () => number = () => performance.now()): WriteHealth => {
  let failure: { readonly because: Unavailable; readonly at: number } | undefined
  return {
    failed: (reason, detail) => {
      failure = { because: { ...unavailable(detail), reason }, at: now() }
    },
    succeeded: () => {
      if (failure !== undefined && now() - failure.at > failureCounts) failure = undefined
    },
    check: () => (failure === undefined ? E.right(undefined) : E.left(failure.because)),
  }
}
