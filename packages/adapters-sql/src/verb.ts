// A verb of a store, written once: what it decides about, and the statements by which it decides and writes.
import type { AuditRow } from '@clientele/domain/audit'
import type { Unavailable } from '@clientele/domain/kernel'
import type { ConfirmReads } from '@clientele/domain/ports'
import type { ArtefactKind } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import { type ParameterTypes, type Statement, type Values, exists, statement, together } from './statement.js'

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

/** A place of a limited number, by a statement that counts those that are taken, up to the maximum. */
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
  change: Statement<Types>,
  values: Values<Types>,
): Made<never, undefined> =>
  verb(names, async (tx) => {
    await tx.run(change, values)
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

/** A database, as the verbs and readings of a store need it. */
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
  statement(
    'SELECT ordinal FROM clients WHERE client_id = :client_id AND registration_id = :registration_id',
    { client_id: 'text', registration_id: 'text' },
    t.type({ ordinal: t.number }),
  ),
)

/** The end-user session while it has not ended. */
export const selectSession = together(exists('end_user_sessions WHERE sid = :sid', { sid: 'text' }))
