// Commands on the encryption keys, through the running service or on the store when none runs.
import type { EncryptionKeyList, SealedAnew, SealingStep } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Config } from '../config/settings.js'
import { type Ask, manage } from './manage.js'
import { readAnswer } from './read-answer.js'

type Done<A> = TE.TaskEither<string, A>

const KeyListAnswer = t.type({
  seals_with: t.string,
  opens_with: t.readonlyArray(t.string),
  kept_in: t.keyof({ file: null, settings: null }),
  values: t.number,
  sealing_otherwise: t.readonlyArray(t.string),
})
const StepAnswer = t.intersection([
  t.type({ values: t.number, sealed: t.number, unreadable: t.number }),
  t.partial({ next: t.string }),
])

/** The operations of a change of the key. */
type KeyOperations = {
  readonly list: Done<EncryptionKeyList>
  readonly add: Done<EncryptionKeyList>
  readonly drop: Done<EncryptionKeyList>
  readonly step: (step: SealingStep) => Done<SealedAnew>
}

// Milliseconds: the service reads all values before it drops a key.
const dropLimit = 3_600_000

const stepBody = ({ after, dryRun }: SealingStep): object =>
  after === undefined ? { dry_run: dryRun } : { after, dry_run: dryRun }

const operationsBy = (ask: Ask): KeyOperations => {
  const listed = (path: string, body?: object, timeLimit?: number): Done<EncryptionKeyList> =>
    pipe(ask(path, body, timeLimit === undefined ? {} : { timeLimit }), TE.flatMap(readAnswer(KeyListAnswer)))
  return {
    list: listed('/encryption/keys'),
    add: listed('/encryption/keys', {}),
    drop: listed('/encryption/keys/drop', {}, dropLimit),
    step: (step) => pipe(ask('/encryption/re-seal', stepBody(step)), TE.flatMap(readAnswer(StepAnswer))),
  }
}

const withKeys = <A>(config: Config, run: (operations: KeyOperations) => Done<A>): Done<A> =>
  manage(config, (ask) => run(operationsBy(ask)))

/** Called after each step with the name of the work, the number of values that were read so far, and that of all. */
export type OnProgress = (work: string, done: number, all: number) => void

export type KeyReport = {
  readonly keys: EncryptionKeyList
  /** The counts of all steps. */
  readonly sealed: number
  readonly unreadable: number
}

type Work = 'Sealing anew' | 'Sealing what came meanwhile' | 'Counting'

const allSteps =
  ({ step }: KeyOperations, keys: EncryptionKeyList, work: Work, onProgress: OnProgress): Done<KeyReport> =>
  async () => {
    const counts = { values: 0, sealed: 0, unreadable: 0 }
    let after: string | undefined
    do {
      const done: E.Either<string, SealedAnew> = await step({ after, dryRun: work === 'Counting' })()
      if (E.isLeft(done)) return done
      counts.values += done.right.values
      counts.sealed += done.right.sealed
      counts.unreadable += done.right.unreadable
      onProgress(work, counts.values, Math.max(counts.values, keys.values))
      after = done.right.next
    } while (after !== undefined)
    return E.right({ keys, sealed: counts.sealed, unreadable: counts.unreadable })
  }

const othersSeal = ({ sealing_otherwise }: EncryptionKeyList): string =>
  `running instances seal with another key (${sealing_otherwise.join(', ')}): start them with the keys of this command, ` +
  'the new one in front, and rotate then'

/** Makes a new key where there is one only, and seals all values with the first. */
export const rotateEncryptionKey = (config: Config, onProgress: OnProgress): Done<KeyReport> =>
  withKeys(config, (operations) =>
    pipe(
      operations.add,
      TE.filterOrElse(
        ({ sealing_otherwise }) => sealing_otherwise.length === 0,
        (keys) => othersSeal(keys),
      ),
      TE.flatMap((keys) => allSteps(operations, keys, 'Sealing anew', onProgress)),
      // A write that had begun before the change may have stored a value of the earlier key behind the last step.
      TE.flatMap((first) =>
        pipe(
          allSteps(operations, first.keys, 'Sealing what came meanwhile', onProgress),
          TE.map((second) => ({ ...second, sealed: first.sealed + second.sealed })),
        ),
      ),
    ),
  )

/** Counts the values that the first key did not seal. */
export const checkEncryptionKeys = (config: Config, onProgress: OnProgress): Done<KeyReport> =>
  withKeys(config, (operations) =>
    pipe(
      operations.list,
      TE.flatMap((keys) => allSteps(operations, keys, 'Counting', onProgress)),
    ),
  )

/** Removes all keys but the first from the file. */
export const dropEncryptionKeys = (config: Config): Done<EncryptionKeyList> => withKeys(config, ({ drop }) => drop)
