// Groups the records of a file into batches, in their order.
import { type ClientDraft, importFault } from '@clientele/domain/importing'
import type { FileRecord } from './read-records.js'

export type Batch = {
  readonly records: ReadonlyArray<FileRecord>
  /** The clients among the records. */
  readonly drafts: ReadonlyArray<ClientDraft>
}

/** The maximum number of clients in a batch, and of bytes of their JSON. */
export type BatchLimits = { readonly maxClients: number; readonly maxBytes: number }

const broken = ({ line }: FileRecord, client_id: unknown, rule: 'import-size' | 'import-nesting'): FileRecord => ({
  line,
  read: {
    kind: 'broken',
    client_id: typeof client_id === 'string' ? client_id : undefined,
    faults: [importFault(rule)()],
  },
})

type Sized = { readonly record: FileRecord; readonly bytes: number }

// A request has the draft in a list, in an object, and is read to 32 levels.
const maxLevels = 30

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1)))

// A comma separates two clients.
const sized = (record: FileRecord, { maxBytes }: BatchLimits): Sized => {
  if (record.read.kind !== 'client') return { record, bytes: 0 }
  const { draft } = record.read
  const bytes = Buffer.byteLength(JSON.stringify(draft)) + 1
  if (bytes > maxBytes) return { record: broken(record, draft.client_id, 'import-size'), bytes: 0 }
  if (isDeeper(draft, maxLevels)) return { record: broken(record, draft.client_id, 'import-nesting'), bytes: 0 }
  return { record, bytes }
}

const draftsOf = (records: ReadonlyArray<FileRecord>): ReadonlyArray<ClientDraft> =>
  records.flatMap(({ read }) => (read.kind === 'client' ? [read.draft] : []))

const batch = (records: ReadonlyArray<FileRecord>): Batch => ({ records, drafts: draftsOf(records) })

export async function* batchesOf(records: AsyncIterable<FileRecord>, limits: BatchLimits): AsyncGenerator<Batch> {
  let waiting: Array<FileRecord> = []
  let sum = 0
  for await (const each of records) {
    const { record, bytes } = sized(each, limits)
    if (waiting.length >= limits.maxClients || sum + bytes > limits.maxBytes) {
      yield batch(waiting)
      waiting = []
      sum = 0
    }
    waiting.push(record)
    sum += bytes
  }
  if (waiting.length > 0) yield batch(waiting)
}
