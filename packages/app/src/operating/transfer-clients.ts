// Import and export of clients, through the running service or on the store when none runs.
import type { ExportOptions, ExportedClient } from '@clientele/domain/importing'
import {
  type ClientList,
  type ImportBatch,
  ImportOutcome,
  exportClients,
  importClients,
  maxImportBatch,
} from '@clientele/domain/operations'
import type { ClientWithUse } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { commandOrigin } from '../audit/command-origin.js'
import type { Config } from '../config/settings.js'
import { portsOf } from '../data/operation-ports.js'
import type { OpenedData } from '../data/open-data.js'
import { baseUrlAt, registrationSettings } from '../wiring/http-settings.js'
import { type ServiceAccess, askService } from './ask-service.js'
import { jsonArrayElements } from './json-array-elements.js'
import { readAnswer, refusalText } from './read-answer.js'
import { throughServiceOrStore } from './through-service-or-store.js'

/** Where the batches of an import go. */
export type Importer = {
  /** The outcome of each client of the batch, in their order. */
  readonly take: (batch: ImportBatch, dryRun: boolean) => TE.TaskEither<string, ReadonlyArray<ImportOutcome>>
  /** The maximum number of clients, and of bytes of their JSON, in one batch. */
  readonly maxClients: number
  readonly maxBytes: number
}

const Taken = t.type({ clients: t.readonlyArray(ImportOutcome) })

// A request has at most 64 KiB.
const throughService = (access: ServiceAccess): Importer => ({
  maxClients: maxImportBatch,
  maxBytes: 65_000,
  take: (batch, dryRun) =>
    pipe(
      askService(access, `/imported-clients?dry_run=${dryRun}`, batch),
      TE.flatMap(readAnswer(Taken)),
      TE.map(({ clients }) => clients),
    ),
})

const onStore = (config: Config, data: OpenedData): Importer => {
  const settings = registrationSettings(config, baseUrlAt(config, config.port))
  const take = importClients(settings, portsOf(config, data))(data.operator)
  return {
    maxClients: maxImportBatch,
    maxBytes: Infinity,
    take: (batch, dryRun) =>
      pipe(
        take({ dryRun, body: E.right(batch), origin: commandOrigin() }),
        TE.mapLeft((refusal) => refusalText(refusal, 'the store cannot answer now')),
      ),
  }
}

/** Runs an import; every batch of it goes the same way. */
export const withImporter = <A>(
  config: Config,
  run: (importer: Importer) => TE.TaskEither<string, A>,
): TE.TaskEither<string, A> =>
  throughServiceOrStore(config, {
    service: (access) => run(throughService(access)),
    store: (data) => run(onStore(config, data)),
  })

const Unreadable = t.type({ client_id: t.string, unreadable: t.literal(true) })

export type ExportedLine = { readonly line: string } | { readonly unreadable: string }

async function* reported({ body }: Response): AsyncGenerator<ExportedLine> {
  if (body === null) throw new Error('the answer has no body')
  for await (const client of jsonArrayElements(body.pipeThrough(new TextDecoderStream('utf-8', { fatal: true }))))
    yield Unreadable.is(client) ? { unreadable: client.client_id } : { line: JSON.stringify(client) }
}

async function* stored({
  clients,
  informationOf,
}: ClientList<ExportedClient, ClientWithUse>): AsyncGenerator<ExportedLine> {
  for await (const found of clients)
    if (E.isRight(found)) yield { line: JSON.stringify(informationOf(found.right)) }
    else if (found.left.error === 'unreadable_client') yield { unreadable: found.left.client_id }
    else throw new Error('the store cannot go on', { cause: found.left.detail })
}

const exportedFrom = (config: Config, data: OpenedData) =>
  exportClients(portsOf(config, data))(data.operator, { origin: commandOrigin() })

const listOf = (access: ServiceAccess, { secrets }: ExportOptions): TE.TaskEither<string, Response> =>
  pipe(
    askService(access, `/exported-clients?secrets=${secrets}`),
    TE.filterOrElse(
      ({ status }) => status === 200,
      ({ status }) => `the running service answered ${status}`,
    ),
  )

/** Runs an export with all clients, which are read while it runs. */
export const withExport = <A>(
  config: Config,
  options: ExportOptions,
  run: (lines: AsyncIterable<ExportedLine>) => TE.TaskEither<string, A>,
): TE.TaskEither<string, A> =>
  throughServiceOrStore(config, {
    service: (access) =>
      pipe(
        listOf(access, options),
        TE.flatMap((answer) => run(reported(answer))),
      ),
    store: (data) =>
      pipe(
        exportedFrom(config, data)(options),
        TE.mapLeft((refusal) => refusalText(refusal, 'the store cannot answer now: try again')),
        TE.flatMap((list) => run(stored(list))),
      ),
  })
