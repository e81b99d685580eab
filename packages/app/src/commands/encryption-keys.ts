// clientele encryption-key …: changes the key with which stored values are sealed, while the service runs.
import type { EncryptionKeyList } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Config } from '../config/settings.js'
import { newEncryptionKey } from '../data/key-holder.js'
import { printable, printableDocument } from '../observing/printable.js'
import { createProgress } from '../observing/progress.js'
import {
  type KeyReport,
  type OnProgress,
  checkEncryptionKeys,
  dropEncryptionKeys,
  rotateEncryptionKey,
} from '../operating/operate-encryption-keys.js'
import { json, type Command } from './command.js'
import { refuse, show } from './show.js'
import type { ExitStatus, Terminal } from './terminal.js'
import { withSettings } from './with-settings.js'

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

const drop = withSettings(({ config }, terminal, { switches }) =>
  show(terminal, dropEncryptionKeys(config), switches.includes('json') ? printableDocument : droppedText),
)

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
