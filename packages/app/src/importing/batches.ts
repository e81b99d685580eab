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

const tooLong = ({ line }: FileRecord, client_id: unknown): FileRecord => ({
  line,
  read: {
    kind: 'broken',
    client_id: typeof client_id === 'string' ? client_id : undefined,
    faults: [importFault('import-size')()],
  },
})

type Sized = { readonly record: FileRecord; readonly bytes: number }

// Without a limit, the size is not measured. A comma separates two clients.
const sized = (record: FileRecord, { maxBytes }: BatchLimits): Sized => {
  if (record.read.kind !== 'client' || maxBytes === Infinity) return { record, bytes: 0 }
  const bytes = Buffer.byteLength(JSON.stringify(record.read.draft)) + 1
  return bytes > maxBytes ? { record: tooLong(record, record.read.draft.client_id), bytes: 0 } : { record, bytes }
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
