// An import in passes: by default, the first one judges all records, and the second one writes if none of them is broken.
import { allPrivileges } from '@clientele/domain/authorization'
import {
  type ClientDraft,
  type ImportFinding,
  type LeftOutId,
  type ReadRecord,
  importFault,
} from '@clientele/domain/importing'
import type { EpochSeconds } from '@clientele/domain/kernel'
import { useTime } from '@clientele/domain/life-cycle'
import { type ImportBatch, ImportOutcome, maxImportBatch } from '@clientele/domain/operations'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { hash } from 'node:crypto'
import { type Ask, readAnswer } from './ask.js'
import type { Place } from './manage.js'
import { type ClientFormatName, clientFormats } from '../importing/formats.js'
import { type FileRecord, type ImportSource, readRecords } from '../importing/read-records.js'

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
  /** The set of declared clients that the records make up. */
  readonly declares?: ImportBatch['declares']
}

/** What became of one record. */
export type RecordReport = {
  readonly line: number
  readonly client_id: string | undefined
  readonly outcome: ImportOutcome['outcome'] | 'left_out'
  readonly reason?: LeftOutId
  /** In which a replaced client differs. */
  readonly members?: ReadonlyArray<string>
  readonly faults: ReadonlyArray<ImportFinding>
  readonly notes: ReadonlyArray<ImportFinding>
  /** It is stored as an unused client of open registration, which is parked in time. */
  readonly waits?: true
}

/** `judged` is a pass that writes nothing. */
export type Pass = 'judged' | 'written'
/** What it promises is waited for before the next record. */
export type OnRecord = (report: RecordReport, pass: Pass) => unknown

/** Whether the clients were written, or how many broken records prevented it. */
export type ImportResult = { readonly pass: Pass; readonly broken: number }

// Where the batches go.

/**
 * The maximum number of bytes of the clients of a batch as JSON. A request to a service has at most 64 KiB; one to the store,
 * several records of 1 MiB.
 */
const maxBytesAt: Readonly<Record<Place, number>> = { service: 65_000, store: 8_388_608 }

const Taken = t.type({ clients: t.readonlyArray(ImportOutcome) })

type Outcomes = ReadonlyArray<ImportOutcome>

/** The outcome of each client of the batch, in their order. */
const importBatch = (ask: Ask, batch: ImportBatch, dryRun: boolean): TE.TaskEither<string, Outcomes> =>
  pipe(
    ask(`/imported-clients?dry_run=${dryRun}`, batch),
    TE.flatMap(readAnswer(Taken)),
    TE.map(({ clients }) => clients),
  )

// Which records are imported.

const smallest = 1_024

/**
 * Adds an id of the file, and says whether it was added before. It is kept as 64 bits of its digest: 16 to 32 bytes in
 * place of the text. Two ids of a million have the same bits with a probability of 3 in 100 million; the later record is
 * then reported as repeated.
 */
export const createSeenIds = (): ((id: string) => boolean) => {
  let table = new BigUint64Array(smallest)
  let count = 0

  // Linear probing: the place of the value, or the free place for it.
  const placeIn = (slots: BigUint64Array, value: bigint): number => {
    let place = Number(value % BigInt(slots.length))
    while (slots[place] !== 0n && slots[place] !== value) place = (place + 1) % slots.length
    return place
  }

  const grow = (): void => {
    const larger = new BigUint64Array(table.length * 2)
    for (const value of table) if (value !== 0n) larger[placeIn(larger, value)] = value
    table = larger
  }

  return (id) => {
    const value = hash('sha256', id, 'buffer').readBigUInt64LE() || 1n
    const place = placeIn(table, value)
    if (table[place] === value) return true
    table[place] = value
    count += 1
    if (count * 2 > table.length) grow()
    return false
  }
}

const idOf = (read: ReadRecord): string | undefined => {
  if (read.kind !== 'client') return read.client_id
  return typeof read.draft.client_id === 'string' ? read.draft.client_id : undefined
}

const brokenBy = (client_id: string | undefined, fault: ImportFinding): ReadRecord => ({
  kind: 'broken',
  client_id,
  faults: [fault],
})

// A store knows a use to the day; what is no time is left to the judgement.
const isUnusedSince = ({ last_used_at: lastUse }: ClientDraft, since: EpochSeconds): boolean =>
  typeof lastUse === 'number' ? lastUse < useTime(since) : lastUse === undefined

/** The record by the options; those of ids that were seen before are broken. */
const chosen = (
  read: ReadRecord,
  { usedSince, asOperator }: ImportOptions,
  wasSeen: (id: string) => boolean,
): ReadRecord => {
  if (read.kind !== 'client') return read
  const client_id = idOf(read)
  if (usedSince !== undefined && isUnusedSince(read.draft, usedSince))
    return { kind: 'left_out', client_id, reason: 'not-used-since' }
  if (client_id !== undefined && wasSeen(client_id))
    return brokenBy(client_id, importFault('import-repeated')('client_id'))
  return asOperator && read.draft.registered_by === undefined
    ? { ...read, draft: { privileges: allPrivileges, ...read.draft, registered_by: 'master' } }
    : read
}

// A request has the draft in a list, in an object, and is read to 32 levels.
const maxLevels = 30

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1)))

/** The record, and its share of a batch; one that no batch can have is broken. */
const sized = (read: ReadRecord, maxBytes: number): { readonly read: ReadRecord; readonly bytes: number } => {
  if (read.kind !== 'client') return { read, bytes: 0 }
  // A comma separates two clients.
  const bytes = Buffer.byteLength(JSON.stringify(read.draft)) + 1
  if (bytes > maxBytes) return { read: brokenBy(idOf(read), importFault('import-size')()), bytes: 0 }
  return isDeeper(read.draft, maxLevels)
    ? { read: brokenBy(idOf(read), importFault('import-nesting')()), bytes: 0 }
    : { read, bytes }
}

type Parts = {
  readonly source: ImportSource
  /** The running service, or the store when none runs: every batch of an import goes the same way. */
  readonly ask: Ask
  readonly place: Place
  readonly options: ImportOptions
  readonly onRecord: OnRecord
}

type Batch = ReadonlyArray<FileRecord>

// Batches that are sent at once share a commit, so that the disk is waited for less often.
const maxTogether = 4

/** The records in their order: batches that are sent at once. */
async function* batchesOf({ source, place, options }: Parts): AsyncGenerator<ReadonlyArray<Batch>> {
  const maxBytes = maxBytesAt[place]
  const wasSeen = createSeenIds()
  let full: Array<Batch> = []
  let batch: Array<FileRecord> = []
  let sum = 0
  for await (const record of readRecords(source.chunks(), clientFormats[options.from])) {
    const { read, bytes } = sized(chosen(record.read, options, wasSeen), maxBytes)
    if (batch.length >= maxImportBatch || sum + bytes > maxBytes) {
      full.push(batch)
      ;[batch, sum] = [[], 0]
    }
    batch.push({ line: record.line, read })
    sum += bytes
    if (full.length < maxTogether) continue
    yield full
    full = []
  }
  yield [...full, batch]
}

// What becomes of them.

const reportsOf = (batch: Batch, outcomes: Outcomes): ReadonlyArray<RecordReport> => {
  const next = outcomes.values()
  return batch.map(({ line, read }): RecordReport => {
    const record = { line, client_id: idOf(read) }
    if (read.kind === 'broken') return { ...record, outcome: 'broken', faults: read.faults, notes: [] }
    if (read.kind === 'left_out') return { ...record, outcome: 'left_out', reason: read.reason, faults: [], notes: [] }
    const { value: outcome } = next.next()
    if (outcome === undefined) return { ...record, outcome: 'broken', faults: [], notes: [] }
    if (outcome.outcome === 'broken' || outcome.outcome === 'equal') return { ...record, ...outcome }
    const { registered_by, last_used_at } = read.draft
    return {
      ...record,
      ...outcome,
      notes: [...read.notes, ...outcome.notes],
      ...(registered_by === 'nobody' && last_used_at === undefined ? { waits: true } : {}),
    }
  })
}

type Passed = E.Either<string, ImportResult>

const runPass = async (parts: Parts, pass: Pass): Promise<Passed> => {
  const { ask, options, onRecord } = parts
  const take = (batch: Batch): Promise<E.Either<string, Outcomes>> => {
    const clients = batch.flatMap(({ read }) => (read.kind === 'client' ? [read.draft] : []))
    if (clients.length === 0) return Promise.resolve(E.right([]))
    const { replace, declares } = options
    return importBatch(ask, { replace, clients, ...(declares === undefined ? {} : { declares }) }, pass === 'judged')()
  }
  let broken = 0
  for await (const batches of batchesOf(parts)) {
    const taken = await Promise.all(batches.map(async (batch) => ({ batch, outcomes: await take(batch) })))
    for (const { batch, outcomes } of taken)
      for (const report of E.isRight(outcomes) ? reportsOf(batch, outcomes.right) : []) {
        if (report.outcome === 'broken') broken += 1
        await onRecord(report, pass)
      }
    for (const { outcomes } of taken) if (E.isLeft(outcomes)) return outcomes
  }
  return E.right({ pass, broken })
}

/** Judges the file, and writes its clients as the options say. A failure leaves what was written until then. */
export const runImport = (parts: Parts): TE.TaskEither<string, ImportResult> => {
  const { options, source } = parts
  const run = async (): Promise<Passed> => {
    if (options.dryRun) return runPass(parts, 'judged')
    if (options.onlyValid) return runPass(parts, 'written')
    const judged = await runPass(parts, 'judged')
    if (E.isLeft(judged) || judged.right.broken > 0) return judged
    return (await source.isUnchanged())
      ? runPass(parts, 'written')
      : E.left('the file was changed while it was read: run the import again')
  }
  return pipe(
    TE.tryCatch(run, () => 'the file is not well-formed UTF-8, or cannot be read to its end'),
    TE.flatMapEither((passed) => passed),
  )
}
