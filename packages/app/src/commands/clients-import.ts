// clientele clients import FILE|- --from FORMAT: docs/import-export.md
import { type EpochSeconds, epochSeconds } from '@clientele/domain/kernel'
import { earliestParking } from '@clientele/domain/life-cycle'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type ClientFormatName, clientFormats } from '../importing/formats.js'
import { type ParkedFrom, importReport, importReportAsJson } from '../importing/import-report.js'
import { type Progress, progressOn } from '../importing/progress.js'
import { type ImportSource, openSource } from '../importing/read-records.js'
import { type ImportOptions, type ImportResult, type OnRecord, runImport, withImporter } from '../importing/run-import.js'
import type { Config } from '../config/settings.js'
import { lifeCyclePolicy } from '../config/life-cycle.js'
import { type Command, type Invocation, json } from './command.js'
import { refuse } from './show.js'
import type { ExitStatus, Terminal } from './terminal.js'
import { withSettings } from './with-settings.js'

const names = Object.keys(clientFormats)

const isFormat = (name: string): name is ClientFormatName => names.includes(name)

const secondsOf = (date: string): E.Either<string, EpochSeconds> => {
  const milliseconds = /^\d{4}-\d\d-\d\d/.test(date) ? Date.parse(date) : NaN
  return Number.isNaN(milliseconds)
    ? E.left('--used-since must be a date, such as 2026-01-31 or 2026-01-31T12:00:00Z')
    : E.right(epochSeconds(milliseconds))
}

const usedSinceOf = (from: ClientFormatName, date: string | undefined): E.Either<string, EpochSeconds | undefined> => {
  if (date === undefined) return E.right(undefined)
  return clientFormats[from].saysLastUse
    ? secondsOf(date)
    : E.left(`--used-since is not available: the records of ${from} do not say when a client was used`)
}

const optionsOf = ({ flags, switches }: Invocation): E.Either<string, ImportOptions> => {
  const from = flags['from'] ?? ''
  if (!isFormat(from)) return E.left(`--from must be one of ${names.join(', ')}`)
  return pipe(
    usedSinceOf(from, flags['used-since']),
    E.map((usedSince) => ({
      from,
      dryRun: switches.includes('dry-run'),
      onlyValid: switches.includes('only-valid'),
      replace: switches.includes('replace'),
      asOperator: switches.includes('as-operator'),
      usedSince,
    })),
  )
}

type Observed = { hasWritten: boolean }

const observed =
  (state: Observed, progress: Progress, record: OnRecord): OnRecord =>
  (report, pass) => {
    state.hasWritten ||= pass === 'written'
    progress.advance(pass === 'judged' ? 'Judging' : 'Importing')
    record(report, pass)
  }

const closing =
  <A>(source: ImportSource, done: TE.TaskEither<string, A>): TE.TaskEither<string, A> =>
  async () => {
    const result = await done()
    await source.close()
    return result
  }

const imported = (
  config: Config,
  path: string,
  options: ImportOptions,
  onRecord: OnRecord,
): TE.TaskEither<string, ImportResult> =>
  pipe(
    openSource(path, !options.dryRun && !options.onlyValid),
    TE.flatMap((source) =>
      closing(
        source,
        withImporter(config, (importer) => runImport({ source, importer, options, onRecord })),
      ),
    ),
  )

// Where registration is not open, no client is parked.
const parkedFrom = (config: Config): ParkedFrom =>
  config['allow-open-registration'] ? earliestParking(epochSeconds(Date.now()), lifeCyclePolicy(config)) : undefined

const goOn = 'What was imported until then stays: the same command again goes on from there'

const take = async (
  config: Config,
  terminal: Terminal,
  { operand = '', switches }: Invocation,
  options: ImportOptions,
): Promise<ExitStatus> => {
  const { output, errors } = terminal
  const progress = progressOn(errors)
  const report = (switches.includes('json') ? importReportAsJson : importReport)(
    output,
    options.dryRun,
    parkedFrom(config),
  )
  const state: Observed = { hasWritten: false }
  const result = await imported(config, operand, options, observed(state, progress, report.record))()
  progress.end()
  if (E.isLeft(result)) return refuse(terminal, state.hasWritten ? `${result.left}. ${goOn}` : result.left, 1)
  report.end(result.right)
  return result.right.broken > 0 && !options.onlyValid ? 1 : 0
}

const clientsImport = withSettings((loaded, terminal, invocation) => {
  const options = optionsOf(invocation)
  return E.isLeft(options)
    ? refuse(terminal, options.left, 2)
    : take(loaded.config, terminal, invocation, options.right)
})

export const clientsImportCommand: Command = {
  name: 'clients import',
  summary: 'register the clients of a file, with their ids and secrets',
  details:
    'Every client is judged by the rules of a registration, and no privilege is missing. A client whose record names no authority may change itself only within what it has, unless --as-operator is there. If one is broken, none is written, unless --only-valid is there. A client that is there already is left as it is, so that an interrupted import may be run again.',
  operand: { name: 'FILE', description: 'the file, or - for the standard input' },
  options: [
    { name: 'from', value: 'FORMAT', description: names.join(', '), required: true },
    { name: 'dry-run', description: 'say what is wrong with each client, and write nothing' },
    { name: 'only-valid', description: 'write the valid clients although others are broken' },
    { name: 'replace', description: 'replace clients that are registered with other values' },
    {
      name: 'as-operator',
      description: 'give clients whose records name no authority that of the operator, with all privileges',
    },
    {
      name: 'used-since',
      value: 'DATE',
      description: 'leave out clients that were not used since, where the format says it',
    },
    json,
  ],
  example: 'clientele clients import realm.json --from keycloak --dry-run',
  run: clientsImport,
}
