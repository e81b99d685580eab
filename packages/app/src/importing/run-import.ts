// An import in passes: by default, the first one judges all records, and the second one writes if none of them is broken.
import { allPrivileges } from '@clientele/domain/authorization'
import { type ImportFinding, type LeftOutId, importFault } from '@clientele/domain/importing'
import type { EpochSeconds } from '@clientele/domain/kernel'
import { useTime } from '@clientele/domain/life-cycle'
import type { ImportOutcome } from '@clientele/domain/operations'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Importer } from './transfer-clients.js'
import { type Batch, batchesOf } from './batches.js'
import { type ClientFormatName, clientFormats } from './formats.js'
import type { ImportSource } from './import-source.js'
import { type FileRecord, readRecords } from './read-records.js'
import { type SeenIds, createSeenIds } from './seen-ids.js'

export type ImportOptions = {
  readonly from: ClientFormatName
  readonly dryRun: boolean
  /** Whether the valid clients are written although others are broken. */
  readonly onlyValid: boolean
  readonly replace: boolean
  /** Whether clients whose records name no authority get that of the operator. */
  readonly asOperator: boolean
  /** Seconds since the epoch: clients that were not used since are left out. */
  readonly usedSince: EpochSeconds | undefined
}

/** What became of one record. */
export type RecordReport = {
  readonly line: number
  readonly client_id: string | undefined
  readonly outcome: ImportOutcome['outcome'] | 'left_out'
  readonly reason?: LeftOutId
  readonly faults: ReadonlyArray<ImportFinding>
  readonly notes: ReadonlyArray<ImportFinding>
  /** It is stored as an unused client of open registration, which is parked in time. */
  readonly waits?: true
}

/** `judged` is a pass that writes nothing. */
export type Pass = 'judged' | 'written'
export type OnRecord = (report: RecordReport, pass: Pass) => void

/** Whether the clients were written, or how many broken records prevented it. */
export type ImportResult = { readonly pass: Pass; readonly broken: number }

const idOf = ({ read }: FileRecord): string | undefined => {
  if (read.kind !== 'client') return read.client_id
  return typeof read.draft.client_id === 'string' ? read.draft.client_id : undefined
}

const nothing: ReadonlyArray<ImportFinding> = []

const ownReport = (record: FileRecord): RecordReport | undefined => {
  const { line, read } = record
  const client_id = idOf(record)
  if (read.kind === 'broken') return { line, client_id, outcome: 'broken', faults: read.faults, notes: nothing }
  return read.kind === 'left_out'
    ? { line, client_id, outcome: 'left_out', reason: read.reason, faults: nothing, notes: nothing }
    : undefined
}

const isUnusedOpen = ({ read }: FileRecord): boolean =>
  read.kind === 'client' && read.draft.registered_by === 'nobody' && read.draft.last_used_at === undefined

const reportsOf = ({ records }: Batch, outcomes: ReadonlyArray<ImportOutcome>): ReadonlyArray<RecordReport> => {
  const waiting = [...outcomes].reverse()
  return records.map((record) => {
    const own = ownReport(record)
    const outcome = own === undefined ? waiting.pop() : undefined
    if (own !== undefined || outcome === undefined)
      return own ?? { line: record.line, client_id: idOf(record), outcome: 'broken', faults: nothing, notes: nothing }
    const isWritten = ['added', 'replaced'].includes(outcome.outcome)
    const notes = record.read.kind === 'client' && isWritten ? record.read.notes : nothing
    const waits = isWritten && isUnusedOpen(record) ? { waits: true as const } : {}
    return { line: record.line, client_id: idOf(record), ...outcome, notes: [...notes, ...outcome.notes], ...waits }
  })
}

const checkUse =
  (usedSince: EpochSeconds | undefined) =>
  (record: FileRecord): FileRecord => {
    const { line, read } = record
    if (usedSince === undefined || read.kind !== 'client') return record
    const { last_used_at: lastUse } = read.draft
    // A store knows a use to the day; what is no time is left to the judgement.
    if (typeof lastUse === 'number' ? lastUse >= useTime(usedSince) : lastUse !== undefined) return record
    return { line, read: { kind: 'left_out', client_id: idOf(record), reason: 'not-used-since' } }
  }

const checkRepeated =
  (seen: SeenIds) =>
  (record: FileRecord): FileRecord => {
    const { line, read } = record
    const client_id = idOf(record)
    if (read.kind !== 'client' || client_id === undefined || !seen.add(client_id)) return record
    return { line, read: { kind: 'broken', client_id, faults: [importFault('import-repeated')('client_id')] } }
  }

async function* checked(
  records: AsyncIterable<FileRecord>,
  check: (record: FileRecord) => FileRecord,
): AsyncGenerator<FileRecord> {
  for await (const record of records) yield check(record)
}

type Parts = {
  readonly source: ImportSource
  readonly importer: Importer
  readonly options: ImportOptions
  readonly onRecord: OnRecord
}

type Passed = E.Either<string, ImportResult>

const unreadable = 'the file is not well-formed UTF-8, or cannot be read to its end'

// Batches that are sent at once share a commit, so that the disk is waited for less often.
const maxTogether = 4

async function* together(batches: AsyncIterable<Batch>): AsyncGenerator<ReadonlyArray<Batch>> {
  let waiting: Array<Batch> = []
  for await (const batch of batches) {
    waiting.push(batch)
    if (waiting.length < maxTogether) continue
    yield waiting
    waiting = []
  }
  yield waiting
}

const withAuthority = (record: FileRecord): FileRecord => {
  const { read } = record
  if (read.kind !== 'client' || read.draft.registered_by !== undefined) return record
  return { ...record, read: { ...read, draft: { privileges: allPrivileges, ...read.draft, registered_by: 'master' } } }
}

const takeBatch = async (
  importer: Importer,
  replace: boolean,
  { drafts: clients }: Batch,
  pass: Pass,
): Promise<E.Either<string, ReadonlyArray<ImportOutcome>>> =>
  clients.length === 0 ? E.right([]) : importer.take({ replace, clients }, pass === 'judged')()

const runPass = async ({ source, importer, options, onRecord }: Parts, pass: Pass): Promise<Passed> => {
  const { from, replace, usedSince, asOperator } = options
  const isUsed = checkUse(usedSince)
  const isNew = checkRepeated(createSeenIds())
  const records = checked(readRecords(source.chunks(), clientFormats[from]), (record) =>
    isNew(isUsed(asOperator ? withAuthority(record) : record)),
  )
  let broken = 0
  const finish = (batch: Batch, outcomes: ReadonlyArray<ImportOutcome>): void => {
    for (const report of reportsOf(batch, outcomes)) {
      if (report.outcome === 'broken') broken += 1
      onRecord(report, pass)
    }
  }
  for await (const batches of together(batchesOf(records, importer))) {
    const taken = await Promise.all(batches.map((batch) => takeBatch(importer, replace, batch, pass)))
    for (const [index, batch] of batches.entries()) {
      const outcomes = taken[index]
      if (outcomes !== undefined && E.isRight(outcomes)) finish(batch, outcomes.right)
    }
    const failed = taken.find(E.isLeft)
    if (failed !== undefined) return failed
  }
  return E.right({ pass, broken })
}

const changed = 'the file was changed while it was read: run the import again'

/** Judges the file, and writes its clients as the options say. A failure leaves what was written until then. */
export const runImport = (parts: Parts): TE.TaskEither<string, ImportResult> => {
  const { options, source } = parts
  const run = async (): Promise<Passed> => {
    if (options.dryRun) return runPass(parts, 'judged')
    if (options.onlyValid) return runPass(parts, 'written')
    const judged = await runPass(parts, 'judged')
    if (E.isLeft(judged) || judged.right.broken > 0) return judged
    return (await source.isUnchanged()) ? runPass(parts, 'written') : E.left(changed)
  }
  return async () => {
    const ran = await TE.tryCatch(run, () => unreadable)()
    return E.flatten(ran)
  }
}
