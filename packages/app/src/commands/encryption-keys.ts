// clientele encryption-key …: changes the key with which stored values are sealed, while the service runs.
import type { EncryptionKeyList, SealedAnew, SealingStep } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Config } from '../config/settings.js'
import type { Ask } from '../manage/ask-service.js'
import { manage } from '../manage/manage.js'
import { readAnswer } from '../manage/read-answer.js'
import { newEncryptionKey } from '../data/first-run.js'
import { printable, printableDocument } from '../text.js'
import { createProgress } from '../progress.js'
import { type Command, json } from './command.js'
import { refuse } from './show.js'
import type { ExitStatus, Terminal } from './terminal.js'
import { answering, withSettings } from './with-settings.js'

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
type OnProgress = (work: string, done: number, all: number) => void

type KeyReport = {
  readonly keys: EncryptionKeyList
  /** The counts of all steps. */
  readonly sealed: number
  readonly unreadable: number
}

type Pass = 'Sealing anew' | 'Sealing what came meanwhile' | 'Counting'

const allSteps =
  ({ step }: KeyOperations, keys: EncryptionKeyList, work: Pass, onProgress: OnProgress): Done<KeyReport> =>
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
const rotateEncryptionKey = (config: Config, onProgress: OnProgress): Done<KeyReport> =>
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
const dropEncryptionKeys = (config: Config): Done<EncryptionKeyList> => withKeys(config, ({ drop }) => drop)

const keyText = ({ seals_with, opens_with }: EncryptionKeyList): ReadonlyArray<string> => [
  `Seals with ${printable(seals_with)}`,
  ...(opens_with.length < 2 ? [] : [`Opens ${opens_with.slice(1).map(printable).join(', ')} as well`]),
]

const unreadableText = ({ unreadable }: KeyReport): ReadonlyArray<string> =>
  unreadable === 0
    ? []
    : [`Opened by no key, and left as they are: ${unreadable}. Keep the other keys, or remove those clients`]

const leaveText = ({ keys: { kept_in, opens_with, sealing_otherwise } }: KeyReport): string => {
  if (sealing_otherwise.length > 0)
    return `Instances still seal with another key: ${sealing_otherwise.map(printable).join(', ')}`
  if (opens_with.length < 2) return 'There is no other key'
  return kept_in === 'file'
    ? 'Every other key may go: clientele encryption-key drop removes them. Earlier backups need them: keep them with those'
    : 'Every other key may leave encryption-key. Earlier backups need them: keep them with those'
}

const droppedText = (keys: EncryptionKeyList): string =>
  [...keyText(keys), ...(keys.opens_with.length < 2 ? ['No other key is left'] : [])].join('\n')

const isComplete = ({ sealed, unreadable, keys }: KeyReport): boolean =>
  sealed === 0 && unreadable === 0 && keys.sealing_otherwise.length === 0

const rotatedText = (report: KeyReport): string =>
  [
    ...keyText(report.keys),
    `Sealed anew: ${report.sealed}`,
    ...(report.unreadable === 0 ? [leaveText(report)] : unreadableText(report)),
  ].join('\n')

const checkedText = (report: KeyReport): string =>
  [
    ...keyText(report.keys),
    report.sealed === 0
      ? `All ${report.keys.values} values are sealed with it`
      : `Sealed with another key: ${report.sealed} of ${report.keys.values} values. Run clientele encryption-key rotate`,
    ...unreadableText(report),
    ...(isComplete(report) ? [leaveText(report)] : []),
  ].join('\n')

type Work = (config: Config, onProgress: OnProgress) => TE.TaskEither<string, KeyReport>

const working = (work: Work, text: (report: KeyReport) => string, mustBeComplete: boolean) =>
  withSettings(async ({ config }, terminal, { switches }) => {
    const progress = createProgress(terminal.errors)
    const report = await work(config, progress.show)()
    progress.end()
    if (E.isLeft(report)) return refuse(terminal, report.left, 1)
    const { right } = report
    terminal.output.write(`${switches.includes('json') ? printableDocument(right) : text(right)}\n`)
    return mustBeComplete && !isComplete(right) ? 1 : 0
  })

const drop = answering(dropEncryptionKeys, droppedText)

const generate = ({ output }: Terminal): ExitStatus => {
  output.write(`${newEncryptionKey()}\n`)
  return 0
}

export const encryptionKeyCommands: ReadonlyArray<Command> = [
  {
    name: 'encryption-key rotate',
    summary: 'make a new encryption key and seal everything with it, beside the running service',
    details:
      'With several keys, no key is made: an interrupted rotation is continued, as often as necessary. The keys in the ' +
      'file of the data directory are changed by the command; keys in the setting encryption-key by the operator.',
    options: [json],
    example: 'clientele encryption-key rotate',
    run: working(rotateEncryptionKey, rotatedText, false),
  },
  {
    name: 'encryption-key check',
    summary: 'count the values that are sealed with another key than the first; status 1 if there are any',
    options: [json],
    example: 'clientele encryption-key check',
    run: working(checkEncryptionKeys, checkedText, true),
  },
  {
    name: 'encryption-key drop',
    summary: 'remove all keys but the first from the file, unless a value is still sealed with another one',
    options: [json],
    example: 'clientele encryption-key drop',
    run: drop,
  },
  {
    name: 'encryption-key generate',
    summary: 'print a new key, for the setting encryption-key',
    example: 'clientele encryption-key generate > new-encryption-key',
    run: generate,
  },
]
