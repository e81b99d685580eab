// How operations change what others change as well: in turns, and again after a conflict.
import * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type Unavailable, unavailable } from '../kernel/refusals.js'
import type { EndUserSession } from '../logout/sessions.js'
import type { Answer, Pauses, Turns } from '../ports/outside.js'
import type {
  ClientChanged,
  ClientRegistry,
  ConfirmReads,
  EndUserSessions,
  KeyRingChanged,
  Replacement,
  SessionChanged,
} from '../ports/store.js'
import type { RegisteredClient } from '../registration/registered-client.js'

/** The stored version changed between reading and replacing. */
type Conflict = ClientChanged | KeyRingChanged | SessionChanged

const conflicts: Readonly<Record<Conflict['error'], true>> = {
  client_changed: true,
  key_ring_changed: true,
  session_changed: true,
}

const isConflict = (failure: { readonly error: string }): failure is Conflict => Object.hasOwn(conflicts, failure.error)

export const maxAttempts = 16

/** Milliseconds. */
const firstPause = 10
const maxPause = 250

/**
 * The pause in milliseconds after so many attempts: a random fraction of a bounded time that doubles with each attempt.
 */
export const pauseAfter = (attempts: number, fraction: number): number =>
  fraction * Math.min(maxPause, firstPause * 2 ** (attempts - 1))

/**
 * Repeats the operation, including its reads, after a conflict with another operation. So a request with a registration
 * access token that was rotated meanwhile is refused like any request with an old token.
 */
export const retryOnConflict =
  (ports: Pauses, attempts = 1) =>
  <Failure extends { readonly error: string }, Value>(
    operation: TE.TaskEither<Failure | Conflict, Value>,
  ): Answer<Value, Failure> =>
  () =>
    operation().then((outcome) => {
      if (E.isRight(outcome)) return outcome
      if (!isConflict(outcome.left)) return E.left(outcome.left)
      if (attempts >= maxAttempts) return E.left(unavailable('what was read changes all the time'))
      return ports
        .pause(pauseAfter(attempts, ports.drawFraction()))()
        .then(retryOnConflict(ports, attempts + 1)(operation))
    })

/**
 * `retryOnConflict` for things that many requests change at once: after a conflict, the operation waits for its turn,
 * so that it competes only with new requests and other instances.
 */
export const serializeOnConflict =
  (ports: Turns, name: string) =>
  <Failure extends { readonly error: string }, Value>(
    first: TE.TaskEither<Failure | Conflict, Value>,
    again = first,
  ): Answer<Value, Failure> =>
  () =>
    first().then((outcome) => {
      if (E.isRight(outcome)) return outcome
      return isConflict(outcome.left) ? ports.serialize(name)(retryOnConflict(ports)(again))() : E.left(outcome.left)
    })

/** What is to be answered, and what replaces the thing that was read, if anything does. */
type Decided<Thing, Value> = {
  readonly answer: Value
  readonly change?: Replacement<Thing>
  /**
   * Whether what was read must be durable before an answer that replaces nothing; left out, it must be where another change
   * was met, because the answer may come from what that one wrote.
   */
  readonly confirms?: boolean
}

type Decide<Thing, Failure, Value> = (
  isFirst: boolean,
) => Promise<E.Either<Failure | Conflict | Unavailable, Decided<Thing, Value>>>

const changing = <Thing, Failure extends { readonly error: string }, Value>(
  ports: ConfirmReads & Turns,
  name: string,
  replace: (replacement: Replacement<Thing>) => Answer<void, Conflict>,
  decide: Decide<Thing, Failure, Value>,
): Answer<Value, Failure> => {
  const attempt =
    (isFirst: boolean): Answer<Value, Failure | Conflict> =>
    async () => {
      const decided = await decide(isFirst)
      if (E.isLeft(decided)) return decided
      const { answer, change, confirms = !isFirst } = decided.right
      if (change === undefined) return confirms ? confirmed(ports)(E.right(answer))() : E.right(answer)
      const replaced = await replace(change)()
      return E.isLeft(replaced) ? replaced : E.right(answer)
    }
  return serializeOnConflict(ports, name)(attempt(true), attempt(false))
}

/**
 * Changes a client: `decide` reads it, and says what replaces it. After a conflict with another change all is decided anew,
 * in turns.
 */
export const changeClient = <Failure extends { readonly error: string }, Value>(
  ports: ClientRegistry & Turns,
  clientId: string,
  decide: Decide<RegisteredClient, Failure, Value>,
): Answer<Value, Failure> => changing(ports, `client ${clientId}`, ports.replaceClient, decide)

/** The same for a session; `name` is the sid, or the digest of the cookie. */
export const changeSession = <Failure extends { readonly error: string }, Value>(
  ports: EndUserSessions & ConfirmReads & Turns,
  name: string,
  decide: Decide<EndUserSession, Failure, Value>,
): Answer<Value, Failure> => changing(ports, `session ${name}`, ports.replaceSession, decide)

/** An outcome that says that all is as requested already, when what was read for it is durable. */
export const confirmed =
  ({ confirmReads }: ConfirmReads) =>
  <Failure, Value>(outcome: E.Either<Failure, Value>): Answer<Value, Failure> =>
    pipe(
      confirmReads,
      TE.flatMapEither((): E.Either<Failure | Unavailable, Value> => outcome),
    )

/** The operation, of which these refusals may say that the same request has done it before. */
export const confirmingRefusals =
  (ports: ConfirmReads, errors: ReadonlyArray<string>) =>
  <Failure extends { readonly error: string }, Value>(
    operation: TE.TaskEither<Failure, Value>,
  ): Answer<Value, Failure> =>
    pipe(
      operation,
      TE.orElse((failure) =>
        errors.includes(failure.error) ? confirmed(ports)<Failure, Value>(E.left(failure)) : TE.left(failure),
      ),
    )

/** Runs the tasks with limited concurrency; the results come in any order. */
export const mapConcurrently =
  (concurrency: number) =>
  <A>(tasks: ReadonlyArray<T.Task<A>>): T.Task<ReadonlyArray<A>> =>
  () => {
    // One shared iterator, so that no task waits behind a slow one while there is room.
    const waiting = tasks.values()
    const lane = (done: ReadonlyArray<A>): Promise<ReadonlyArray<A>> => {
      const next = waiting.next()
      return next.done === true ? Promise.resolve(done) : next.value().then((result) => lane([...done, result]))
    }
    return Promise.all(Array.from({ length: concurrency }, () => lane([]))).then((all) => all.flat())
  }

/** The maximum number of operations that wait for one name. */
const maxWaiting = 1_000

type Queue = { waiting: number; last: Promise<unknown> }

/** One queue for each name, removed when it is empty. */
export const createTurns = (pauses: Pauses): Turns => {
  const queues = new Map<string, Queue>()
  const queueOf = (name: string): Queue => {
    const queue = queues.get(name) ?? { waiting: 0, last: Promise.resolve() }
    queues.set(name, queue)
    return queue
  }
  return {
    ...pauses,
    serialize: (name) => (operation) => async () => {
      const queue = queueOf(name)
      if (queue.waiting >= maxWaiting) return E.left(unavailable('too many operations on one thing wait'))
      queue.waiting += 1
      const turn = queue.last.then(operation)
      queue.last = turn.catch(() => undefined)
      try {
        return await turn
      } finally {
        queue.waiting -= 1
        if (queue.waiting === 0) queues.delete(name)
      }
    },
  }
}
