// Import and export of clients, through the running service or on the store when none runs.
import type { ExportOptions } from '@clientele/domain/importing'
import { type ImportBatch, ImportOutcome, maxImportBatch } from '@clientele/domain/operations'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Config } from '../config/settings.js'
import { jsonArrayElements, type Ask, readAnswer, streamOf } from '../manage/ask.js'
import { type Place, manage } from '../manage/manage.js'

/** Where the batches of an import go. */
export type Importer = {
  /** The outcome of each client of the batch, in their order. */
  readonly take: (batch: ImportBatch, dryRun: boolean) => TE.TaskEither<string, ReadonlyArray<ImportOutcome>>
  /** The maximum number of clients, and of bytes of their JSON, in one batch. */
  readonly maxClients: number
  readonly maxBytes: number
}

const Taken = t.type({ clients: t.readonlyArray(ImportOutcome) })

// A request to a service has at most 64 KiB; one to the store, several records of 1 MiB.
const importerBy = (ask: Ask, place: Place): Importer => ({
  maxClients: maxImportBatch,
  maxBytes: place === 'store' ? 8_388_608 : 65_000,
  take: (batch, dryRun) =>
    pipe(
      ask(`/imported-clients?dry_run=${dryRun}`, batch),
      TE.flatMap(readAnswer(Taken)),
      TE.map(({ clients }) => clients),
    ),
})

/** Runs an import; every batch of it goes the same way. */
export const withImporter = <A>(
  config: Config,
  run: (importer: Importer) => TE.TaskEither<string, A>,
): TE.TaskEither<string, A> => manage(config, (ask, place) => run(importerBy(ask, place)))

const Unreadable = t.type({ client_id: t.string, unreadable: t.literal(true) })

export type ExportedLine = { readonly line: string } | { readonly unreadable: string }

async function* reported({ body }: Response): AsyncGenerator<ExportedLine> {
  if (body === null) throw new Error('the answer has no body')
  for await (const client of jsonArrayElements(body.pipeThrough(new TextDecoderStream('utf-8', { fatal: true }))))
    yield Unreadable.is(client) ? { unreadable: client.client_id } : { line: JSON.stringify(client) }
}

/** Runs an export with all clients, which are read while it runs. */
export const withExport = <A>(
  config: Config,
  { secrets }: ExportOptions,
  run: (lines: AsyncIterable<ExportedLine>) => TE.TaskEither<string, A>,
): TE.TaskEither<string, A> =>
  manage(config, (ask) =>
    pipe(
      ask(`/exported-clients?secrets=${secrets}`),
      TE.flatMap(streamOf),
      TE.flatMap((answer) => run(reported(answer))),
    ),
  )
