// Reads: those of one turn that have one statement go to the database together.
import { type Engine, type ParameterTypes, type Statement, type Values, rowOf } from '@clientele/adapters-sql'
import { type Unavailable, unavailable } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Query } from './connections.js'
import { type Row, rowsOfCalls } from './loader.js'
import { createQueue, inTurn } from './queue.js'
import { textsOf } from './statement-texts.js'
import { isStorable } from './storable-text.js'

type Ask = <Result>(work: (query: Query) => Promise<Result>) => TE.TaskEither<Unavailable, Result>
type Look = (values: Row) => TE.TaskEither<Unavailable, ReadonlyArray<Row>>

export const createReads = (ask: Ask, maxTogether: number): Engine['all'] => {
  const looks = new Map<Statement['texts'], Look>()
  const lookOf = (statement: Statement): Look => {
    const rowsOf = (calls: ReadonlyArray<Row>) => ask((query) => rowsOfCalls(query, statement, calls))
    if (textsOf(statement).together === undefined)
      return (values) =>
        pipe(
          rowsOf([values]),
          TE.map(([rows = []]) => rows),
        )
    return createQueue<Row, never, ReadonlyArray<Row>>(async (calls) => {
      const rows = await rowsOf(calls)()
      return E.isLeft(rows) ? calls.map(() => rows) : rows.right.map((each) => E.right(each))
    }, inTurn(maxTogether))
  }
  return <Types extends ParameterTypes, Row>(statement: Statement<Types, Row>, values: Values<Types>) => {
    // Nothing is found by text that cannot be stored.
    if (!Object.keys(statement.types).every((name) => isStorable(values[name]))) return TE.right([])
    const look = looks.get(statement.texts) ?? lookOf(statement)
    looks.set(statement.texts, look)
    return pipe(
      look({ ...values }),
      TE.flatMapEither((rows) => E.tryCatch(() => rows.map((row) => rowOf(statement, row)), unavailable)),
    )
  }
}
