/** In characters: a longer record is no client, and is not kept in memory. */
export const maxRecord = 1_048_576

/** The text of one record, and the line on which it begins; without a text if it is too long. */
export type RecordText = { readonly line: number; readonly text?: string }

/** Splits the text of a file into records, in the memory of one of them. */
export type SplitRecords = {
  /** The records that end in the chunk. */
  readonly push: (chunk: string) => ReadonlyArray<RecordText>
  /** The record that the end of the file ends; one that is cut off has the text that is there. */
  readonly end: () => ReadonlyArray<RecordText>
}
