// clientele clients export and import: docs/operate/year.md#import-and-export-of-clients
import { type EpochSeconds, epochSeconds, timeOfText } from '@clientele/domain/kernel'
import { earliestParking } from '@clientele/domain/life-cycle'
import * as E from 'fp-ts/lib/Either.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type ClientFormatName, clientFormats } from '../importing/formats.js'
import { answeredElements, openSource } from '../importing/read-records.js'
import { importReport, importReportAsJson } from './import-report.js'
import { type ImportOptions, type OnRecord, runImport } from './run-import.js'
import type { Config } from '../config/settings.js'
import { lifeCyclePolicy } from '../config/life-cycle.js'
import { writeExport, writeExportFile } from '../importing/export-clients.js'
import { streamOf } from './ask.js'
import { manage } from './manage.js'
import { printable } from '../text.js'
import { type Command, type Invocation, json, refuse, withProgress, withSettings } from './command.js'

const names = Object.keys(clientFormats)

const isFormat = (name: string): name is ClientFormatName => names.includes(name)

const optionsOf = ({ flags, switches }: Invocation): E.Either<string, ImportOptions> => {
  const { from = '', 'used-since': date } = flags
  if (!isFormat(from)) return E.left(`--from must be one of ${names.join(', ')}`)
  if (date !== undefined && !clientFormats[from].saysLastUse)
    return E.left(`--used-since is not available: the records of ${from} do not say when a client was used`)
  const usedSince = date === undefined ? undefined : timeOfText(date)
  if (date !== undefined && usedSince === undefined)
    return E.left('--used-since must be a date, such as 2026-01-31 or 2026-01-31T12:00:00Z')
  return E.right({
    from,
    dryRun: switches.includes('dry-run'),
    onlyValid: switches.includes('only-valid'),
    replace: switches.includes('replace'),
    asOperator: switches.includes('as-operator'),
    usedSince,
  })
}

const goOn = 'What was imported until then stays: the same command again goes on from there'

/**
 * The earliest time at which the service parks unused clients of open registration that it gets now. Where registration is
 * not open, no client is parked.
 */
const parkedFrom = (config: Config): EpochSeconds | undefined =>
  config['allow-open-registration'] ? earliestParking(epochSeconds(Date.now()), lifeCyclePolicy(config)) : undefined

/** The outcome of each client is printed when it is there. */
const imported = withSettings(async ({ config }, terminal, invocation) => {
  const { operand = '', switches } = invocation
  const read = optionsOf(invocation)
  if (E.isLeft(read)) return refuse(terminal, read.left, 2)
  const { right: options } = read
  const reportOn = switches.includes('json') ? importReportAsJson : importReport
  const report = reportOn(terminal.output, options.dryRun, parkedFrom(config))
  const counts = { judged: 0, written: 0 }
  const result = await withProgress(terminal, (show) => {
    const onRecord: OnRecord = (record, pass) => {
      counts[pass] += 1
      show(pass === 'judged' ? 'Judging' : 'Importing', counts[pass])
      return report.record(record, pass)
    }
    return pipe(
      openSource(operand, !options.dryRun && !options.onlyValid),
      TE.flatMap((source) =>
        pipe(
          manage(config, (ask, place) => runImport({ source, ask, place, options, onRecord })),
          T.tap(() => source.close),
        ),
      ),
    )
  })()
  if (E.isLeft(result)) return refuse(terminal, counts.written > 0 ? `${result.left}. ${goOn}` : result.left, 1)
  report.end(result.right)
  return result.right.broken > 0 && !options.onlyValid ? 1 : 0
})

// The standard output may be the export.
const exported = withSettings(async ({ config }, terminal, { operand = '', switches }) => {
  const { output, errors } = terminal
  const result = await withProgress(terminal, (show) => {
    let count = 0
    const onClient = (): void => show('Exporting', (count += 1))
    return manage(config, (ask) =>
      pipe(
        ask(`/exported-clients?secrets=${switches.includes('secrets')}`),
        TE.flatMap(streamOf),
        TE.map(answeredElements),
        TE.flatMap((all) =>
          operand === '-' ? writeExport(all, output, onClient) : writeExportFile(operand, all, onClient),
        ),
      ),
    )
  })()
  if (E.isLeft(result)) return refuse(terminal, result.left, 1)
  const { clients, unreadable } = result.right
  errors.write(`Exported ${clients.toLocaleString('en')} clients\n`)
  if (unreadable.length === 0) return 0
  errors.write(`Not exported, because they cannot be read: ${printable(unreadable.join(', '))}\n`)
  return 1
})

export const transferCommands: ReadonlyArray<Command> = [
  {
    name: 'clients export',
    summary: 'write all clients to a file, one in each line',
    details:
      'Without --secrets, the file has no client_secret and no registration_access_token, and an import makes new ones.',
    operand: { name: 'FILE', description: 'a new file, or - for the standard output' },
    options: [{ name: 'secrets', description: 'write the credentials of the clients too, in clear' }],
    example: 'clientele clients export clients.ndjson',
    run: exported,
  },
  {
    name: 'clients import',
    summary: 'register the clients of a file, with their ids and secrets',
    details:
      'The service judges every client by the rules of a registration with all privileges. A client whose record does not say who registered it may later change itself only within the privileges that its metadata needs, unless --as-operator is there. If a client breaks a rule, no client is written, unless --only-valid is there. A client that is registered already stays as it is, so that you can repeat an interrupted import.',
    operand: { name: 'FILE', description: 'the file, or - for the standard input' },
    options: [
      { name: 'from', value: 'FORMAT', description: names.join(', '), required: true },
      { name: 'dry-run', description: 'say what is wrong with each client, and write nothing' },
      { name: 'only-valid', description: 'write the valid clients although others break rules' },
      { name: 'replace', description: 'replace clients that are already registered with other values' },
      {
        name: 'as-operator',
        description:
          'treat clients whose records do not say who registered them as registered by the operator, with all privileges',
      },
      {
        name: 'used-since',
        value: 'DATE',
        description: 'leave out clients that were not used since this date, if the format says when a client was used',
      },
      json,
    ],
    example: 'clientele clients import realm.json --from keycloak --dry-run',
    run: imported,
  },
]
