// corpus/documents/: the documents that clients in use publish at their client_id.
import { readFileSync, readdirSync } from 'node:fs'

export type RecordedDocument = {
  readonly file: string
  readonly client: string
  /** The date, or the commit of the source. */
  readonly seen: string
  /** Public addresses. */
  readonly source: ReadonlyArray<string>
  readonly note?: string
  /** The method that its client gets. */
  readonly method: string
  /** The adjustments, each as its pointer and its id. */
  readonly adjustments: ReadonlyArray<string>
  /** The faults of a document that is refused, in the same form. */
  readonly refused?: ReadonlyArray<string>
  readonly document: Readonly<Record<string, unknown>>
}

const folder = new URL('../../../../corpus/documents/', import.meta.url)

export const documentCorpus: ReadonlyArray<RecordedDocument> = readdirSync(folder)
  .sort()
  .map((file) => ({ file, ...JSON.parse(readFileSync(new URL(file, folder), 'utf8')) }))
