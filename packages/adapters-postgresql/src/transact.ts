// One transaction for the verbs of a batch: they are all committed, or run one by one where one of them must be undone.
import type { Verb, WriteHealth } from '@clientele/adapters-sql'
import { type Unavailable, unavailable } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { hash, randomUUID } from 'node:crypto'
import { type Connections, type Failure, type Query, deadlinesFromNow, isFinal, pauseAfter } from './connections.js'
import { isAborted, reasonOfDisk, verdictOf } from './failures.js'
import { createLoader } from './loader.js'

export type Answer = E.Either<unknown, unknown>

type Batch = ReadonlyArray<Verb<unknown, unknown>>

/** Verbs at the same time, where a batch is run apart. */
const apartTogether = 4

const lockOf = (name: string): bigint => hash('sha256', name, 'buffer').readBigInt64BE()

const everyWrite = lockOf('every write')

/** Waits for the batches that have begun, which hold the lock with others; not for one that stands still. */
export const settle = {
  name: 'settle',
  text: `
SELECT pg_advisory_xact_lock(${everyWrite}) FROM (SELECT set_config('lock_timeout', '500', true) OFFSET 0) AS limited`,
}

/** The locks of all names in the order of their numbers, so that batches do not wait for each other in a circle. */
const locksOf = (batch: Batch): string => {
  const isShared = new Map([[everyWrite, true]])
  for (const { names } of batch) for (const name of names.relies ?? []) isShared.set(lockOf(name), true)
  for (const { names } of batch)
    for (const name of [...(names.changes ?? []), ...(names.counts ?? [])]) isShared.set(lockOf(name), false)
  const inOrder = [...isShared].sort(([one], [other]) => (one < other ? -1 : 1))
  const numbers = inOrder.map(([lock]) => lock).join(',')
  const kinds = inOrder.map(([, shared]) => shared).join(',')
  return `;
SELECT CASE WHEN shared THEN pg_advisory_xact_lock_shared(lock) ELSE pg_advisory_xact_lock(lock) END
FROM unnest('{${numbers}}'::bigint[], '{${kinds}}'::boolean[]) AS locks (lock, shared)`
}

// READ COMMITTED lets each statement see what was committed before it, also by those whose locks the verbs waited for. The
// default of a database may be stricter.
// The receipt has two tasks. Its insertion gives the transaction an id: insertions are sent together with this text, and write
// only if there is an id, which means that the transaction has begun (`hasBegun` in loader.ts). And all attempts of a batch have
// one receipt: the insertion waits while an earlier attempt may still be committed, and returns no row if that one was.
const beginning = (receipt: string, batch: Batch): string => `
BEGIN ISOLATION LEVEL READ COMMITTED;
INSERT INTO receipts (id) VALUES ('${receipt}') ON CONFLICT DO NOTHING RETURNING id${locksOf(batch)}`
export const commit = { name: 'commit', text: 'COMMIT' }
export const rollback = { name: 'rollback', text: 'ROLLBACK' }
// An attempt in doubt is asked for within seconds.
const forgetReceipts = {
  name: 'forget_receipts',
  text: `
DELETE FROM receipts WHERE ctid = ANY (ARRAY
  (SELECT ctid FROM receipts WHERE written_at < clock_timestamp() - interval '1 hour' LIMIT 200 FOR UPDATE SKIP LOCKED))`,
}
/** One batch of so many removes receipts. */
const batchesOfReceipts = 100

const Receipt = t.type({ id: t.string })

/** `apart`: a verb failed, or refused after it had written, so that nothing of this transaction may stay. */
type Ran = { readonly answers: ReadonlyArray<Answer>; readonly apart: boolean }

const runVerbs = async (query: Query, batch: Batch, begun: Promise<unknown>): Promise<Ran> => {
  const loader = createLoader(query, batch.length, begun)
  const settled = await Promise.allSettled(
    batch.map(({ run }, place) => run(loader.txOf(place)).finally(() => loader.ended(place))),
  )
  loader.throwFailure()
  const answers = settled.map((each) => (each.status === 'fulfilled' ? each.value : E.left(unavailable(each.reason))))
  const mustUndo = (answer: Answer, place: number): boolean => E.isLeft(answer) && loader.hasWritten(place)
  return { answers, apart: answers.some(mustUndo) || settled.some(({ status }) => status === 'rejected') }
}

/** What the attempts to commit a batch have in common. */
type Attempts = {
  readonly receipt: string
  /** The answers of the last attempt that sent its COMMIT. */
  answers: ReadonlyArray<Answer> | undefined
  /** Whether that attempt may be committed. */
  isInDoubt: boolean
}

const attempt = async (query: Query, batch: Batch, attempts: Attempts): Promise<Ran> => {
  let hasReceipt = false
  try {
    const begun = query({ name: '', text: beginning(attempts.receipt, batch) })
    if (attempts.answers !== undefined && !(await begun).some(Receipt.is)) {
      await query(rollback)
      return { answers: attempts.answers, apart: false }
    }
    const running = runVerbs(query, batch, begun)
    await Promise.allSettled([begun, running])
    // Its error comes first, because those of the verbs follow from it.
    await begun
    hasReceipt = true
    attempts.isInDoubt = false
    const ran = await running
    if (!ran.apart) attempts.answers = ran.answers
    attempts.isInDoubt = !ran.apart
    await query(ran.apart ? rollback : commit)
    return ran
  } catch (error) {
    // The server has answered: nothing of this attempt is committed.
    if (hasReceipt && verdictOf(error) !== 'in_doubt') attempts.isInDoubt = false
    if (isAborted(error)) await query(rollback)
    throw error
  }
}

type Transact = (batch: Batch) => Promise<ReadonlyArray<Answer>>

/** `confirm` makes sure that what was found is on the standby as well. */
export const createTransact = (
  connections: Connections,
  health: WriteHealth,
  confirm: (deadline: number) => Promise<E.Either<Unavailable, unknown>>,
): Transact => {
  let batches = 0

  const runApart: Transact = async (batch) => {
    const answers: Array<Answer> = []
    for (let place = 0; place < batch.length; place += apartTogether)
      answers.push(
        ...(await Promise.all(batch.slice(place, place + apartTogether).map((each) => transact([each])))).flat(),
      )
    return answers
  }

  /** The verdict of a failed attempt; one without a COMMIT wrote nothing. */
  const judge = (failure: Failure, { isInDoubt }: Attempts): Failure => {
    const reason = reasonOfDisk(failure.error)
    if (reason !== undefined) health.failed(reason, failure.error)
    if (isInDoubt) return { ...failure, verdict: 'in_doubt' }
    return failure.verdict === 'in_doubt' ? { ...failure, verdict: 'elsewhere' } : failure
  }

  const transact: Transact = async (batch) => {
    const attempts: Attempts = { receipt: randomUUID(), answers: undefined, isInDoubt: false }
    const deadlines = deadlinesFromNow()
    let wasInDoubt = false
    for (let number = 1; ; number += 1) {
      const outcome = await connections.run((query) => attempt(query, batch, attempts))
      if (E.isRight(outcome)) {
        const { answers, apart } = outcome.right
        if (apart) return batch.length === 1 ? answers : runApart(batch)
        health.succeeded()
        const confirmed = wasInDoubt ? await confirm(deadlines.inDoubt) : E.right(undefined)
        return E.isLeft(confirmed) ? batch.map(() => confirmed) : answers
      }
      const failure = judge(outcome.left, attempts)
      wasInDoubt ||= attempts.isInDoubt
      if (batch.length > 1 && ['undone', 'crowded'].includes(failure.verdict)) return runApart(batch)
      if (isFinal(failure, number, attempts.isInDoubt ? deadlines.inDoubt : deadlines.ofRequest))
        return batch.map(() => E.left(unavailable(failure.error)))
      await pauseAfter(failure, number)
    }
  }

  return async (batch) => {
    batches += 1
    if (batches % batchesOfReceipts === 0) await connections.run((query) => query(forgetReceipts))
    return transact(batch)
  }
}
