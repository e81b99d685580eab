// The records of a file, read by their format.
import { type ReadRecord, importFault } from '@clientele/domain/importing'
import { readJson } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import type { ClientFormat } from './formats.js'
import { type RecordText, type SplitRecords, maxRecord } from './record.js'
import { splitDocument } from './split-document.js'
import { splitLines } from './split-lines.js'

/** A record, and the line of the file on which it begins. */
export type FileRecord = { readonly line: number; readonly read: ReadRecord }

const broken = (rule: 'import-json' | 'import-record-size', where = ''): ReadRecord => {
  const { description, ...fault } = importFault(rule)()
  return { kind: 'broken', client_id: undefined, faults: [{ ...fault, description: description + where }] }
}

const isObjectWith = (value: unknown, name: string | undefined): boolean =>
  typeof value === 'object' && value !== null && (name === undefined || name in value)

// A line that is a whole object, and not one that holds the list, is the first of many.
const isWholeRecord = (line: string, { list }: ClientFormat): boolean => {
  const json = readJson(line)
  return (
    E.isRight(json) && isObjectWith(json.right, undefined) && (list === undefined || !isObjectWith(json.right, list))
  )
}

/** How the file is divided, by its first line, which may be cut off. */
export const splitterFor = (format: ClientFormat, firstLine: string): SplitRecords => {
  if (firstLine.trimStart().startsWith('[')) return splitDocument(format.list)
  return format.linesOnly || isWholeRecord(firstLine, format) ? splitLines() : splitDocument(format.list)
}

const readText =
  (format: ClientFormat) =>
  ({ line, text }: RecordText): FileRecord => {
    if (text === undefined) return { line, read: broken('import-record-size') }
    const json = readJson(text.trimStart())
    if (E.isRight(json)) return { line, read: format.read(json.right) }
    const lineOfFlaw = line + (json.left.line ?? 1) - 1
    return { line, read: broken('import-json', ` (line ${lineOfFlaw})`) }
  }

const hasFirstLine = (text: string): boolean => text.length > maxRecord || text.trimStart().includes('\n')

/** Reads the records while the file is read, in the memory of one of them. */
export async function* readRecords(chunks: AsyncIterable<string>, format: ClientFormat): AsyncGenerator<FileRecord> {
  const read = readText(format)
  let splitter: SplitRecords | undefined = undefined
  let begun = ''
  const begin = (): SplitRecords => splitterFor(format, begun.trimStart().split('\n', 1)[0] ?? '')
  for await (const chunk of chunks) {
    begun += chunk
    if (splitter === undefined && !hasFirstLine(begun)) continue
    splitter ??= begin()
    for (const record of splitter.push(begun)) yield read(record)
    begun = ''
  }
  splitter ??= begin()
  for (const record of [...splitter.push(begun), ...splitter.end()]) yield read(record)
}
