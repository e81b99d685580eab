// clientele encryption-key …: changes the key with which stored values are sealed, while the service runs.
import type { EncryptionKeyList } from '@clientele/domain/ports'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Config } from '../config/settings.js'
import { newEncryptionKey } from '../data/first-run.js'
import type { Ask } from './ask.js'
import { type Operation, askFor, inSteps, manage } from './manage.js'
import { printable } from '../text.js'
import type { Progress } from '../progress.js'
import { type Command, answering, asking, json, lines, present, withProgress } from './command.js'

const KeyList = t.type({
  seals_with: t.string,
  opens_with: t.readonlyArray(t.string),
  kept_in: t.keyof({ file: null, settings: null }),
  values: t.number,
  sealing_otherwise: t.readonlyArray(t.string),
})
const Step = t.intersection([
  t.type({ values: t.number, sealed: t.number, unreadable: t.number }),
  t.partial({ next: t.string }),
])

type KeyReport = {
  readonly keys: EncryptionKeyList
  /** The counts of all steps. */
  readonly sealed: number
  readonly unreadable: number
}

const listing: Operation<EncryptionKeyList> = { path: '/encryption/keys', codec: KeyList }

type Pass = 'Sealing anew' | 'Sealing what came meanwhile' | 'Counting'

/** `show` is called after each step with the number of values that were read so far, and that of all. */
const allSteps = (
  ask: Ask,
  keys: EncryptionKeyList,
  pass: Pass,
  show: Progress['show'],
): TE.TaskEither<string, KeyReport> =>
  pipe(
    inSteps<t.TypeOf<typeof Step>, t.TypeOf<typeof Step>>(
      (after) => {
        const body = { after, dry_run: pass === 'Counting' }
        return askFor(ask, { path: '/encryption/re-seal', body, codec: Step })
      },
      (sum = { values: 0, sealed: 0, unreadable: 0 }, step) => {
        const values = sum.values + step.values
        show(pass, values, Math.max(values, keys.values))
        return { values, sealed: sum.sealed + step.sealed, unreadable: sum.unreadable + step.unreadable }
      },
    ),
    TE.map(({ sealed, unreadable }) => ({ keys, sealed, unreadable })),
  )

const othersSeal = ({ sealing_otherwise }: EncryptionKeyList): string =>
  `running instances seal with another key (${sealing_otherwise.join(', ')}): start them with the keys of this command, ` +
  'the new one in front, and rotate then'

/** Makes a new key where there is one only, and seals all values with the first. */
const rotateEncryptionKey = (config: Config, show: Progress['show']): TE.TaskEither<string, KeyReport> =>
  manage(config, (ask) =>
    pipe(
      askFor(ask, { ...listing, body: {} }),
      TE.filterOrElse(({ sealing_otherwise }) => sealing_otherwise.length === 0, othersSeal),
      TE.flatMap((keys) => allSteps(ask, keys, 'Sealing anew', show)),
      // A write that had begun before the change may have stored a value of the earlier key behind the last step.
      TE.flatMap((first) =>
        pipe(
          allSteps(ask, first.keys, 'Sealing what came meanwhile', show),
          TE.map((second) => ({ ...second, sealed: first.sealed + second.sealed })),
        ),
      ),
    ),
  )

/** Counts the values that the first key did not seal. */
export const checkEncryptionKeys = (config: Config, show: Progress['show']): TE.TaskEither<string, KeyReport> =>
  manage(config, (ask) =>
    pipe(
      askFor(ask, listing),
      TE.flatMap((keys) => allSteps(ask, keys, 'Counting', show)),
    ),
  )

const keyText = ({ seals_with, opens_with }: EncryptionKeyList): ReadonlyArray<string> =>
  present(
    `Seals with ${printable(seals_with)}`,
    opens_with.length > 1 && `Opens ${opens_with.slice(1).map(printable).join(', ')} as well`,
  )

const unreadableText = ({ unreadable }: KeyReport): string | false =>
  unreadable > 0 &&
  `Opened by no key, and left as they are: ${unreadable}. Keep the other keys, or remove those clients`

const leaveText = ({ keys: { kept_in, opens_with, sealing_otherwise } }: KeyReport): string => {
  if (sealing_otherwise.length > 0)
    return `Instances still seal with another key: ${sealing_otherwise.map(printable).join(', ')}`
  if (opens_with.length < 2) return 'There is no other key'
  return kept_in === 'file'
    ? 'Every other key may go: clientele encryption-key drop removes them. Earlier backups need them: keep them with those'
    : 'Every other key may leave encryption-key. Earlier backups need them: keep them with those'
}

const isComplete = ({ sealed, unreadable, keys }: KeyReport): boolean =>
  sealed === 0 && unreadable === 0 && keys.sealing_otherwise.length === 0

const rotatedText = (report: KeyReport): string =>
  lines(keyText(report.keys), `Sealed anew: ${report.sealed}`, unreadableText(report) || leaveText(report))

const checkedText = (report: KeyReport): string =>
  lines(
    keyText(report.keys),
    report.sealed === 0
      ? `All ${report.keys.values} values are sealed with it`
      : `Sealed with another key: ${report.sealed} of ${report.keys.values} values. Run clientele encryption-key rotate`,
    unreadableText(report),
    isComplete(report) && leaveText(report),
  )

// Milliseconds: the service reads all values before it drops a key.
const dropLimit = 3_600_000

const generate: Command['run'] = ({ output }) => {
  output.write(`${newEncryptionKey()}\n`)
  return 0
}

export const encryptionKeyCommands: ReadonlyArray<Command> = [
  {
    name: 'encryption-key rotate',
    summary: 'make a new encryption key and seal everything with it, beside the running service',
    details:
      'If there are several keys already, the command makes none: it continues the interrupted rotation, as often as necessary. It ' +
      'changes the keys in the file of the data directory; keys in the setting encryption-key are changed by the operator.',
    options: [json],
    example: 'clientele encryption-key rotate',
    run: answering(
      (config, _, terminal) => withProgress(terminal, (show) => rotateEncryptionKey(config, show)),
      rotatedText,
    ),
  },
  {
    name: 'encryption-key check',
    summary: 'count the values that are sealed with another key than the first; the status is 1 if there are any',
    options: [json],
    example: 'clientele encryption-key check',
    run: answering(
      (config, _, terminal) => withProgress(terminal, (show) => checkEncryptionKeys(config, show)),
      checkedText,
      (report) => (isComplete(report) ? 0 : 1),
    ),
  },
  {
    name: 'encryption-key drop',
    summary: 'remove all keys but the first from the file, unless a value is still sealed with another one',
    options: [json],
    example: 'clientele encryption-key drop',
    run: asking(
      () => ({ path: '/encryption/keys/drop', body: {}, timeLimit: dropLimit, codec: KeyList }),
      (keys) => lines(keyText(keys), keys.opens_with.length < 2 && 'No other key is left'),
    ),
  },
  {
    name: 'encryption-key generate',
    summary: 'print a new key, for the setting encryption-key',
    example: 'clientele encryption-key generate > new-encryption-key',
    run: generate,
  },
]
