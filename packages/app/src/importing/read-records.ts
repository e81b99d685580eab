// The records of a file, which are read while the file is, in the memory of one of them.
import { type ReadRecord, importFault } from '@clientele/domain/importing'
import { readJson } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorReason } from '../config/files.js'
import type { ClientFormat } from './formats.js'

// The file, which is read once or twice. Standard input is copied first where it is read twice.

export type ImportSource = {
  /** The text from its beginning; a second time only if that was requested. */
  readonly chunks: () => AsyncIterable<string>
  /** Whether the file is as it was when it was opened. */
  readonly isUnchanged: () => Promise<boolean>
  readonly close: () => Promise<void>
}

const chunkBytes = 65_536

async function* bytesOf(file: FileHandle, fromStart: boolean): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(chunkBytes)
  let position = 0
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, chunkBytes, fromStart ? position : null)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

async function* textOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const each of bytes) yield decoder.decode(each, { stream: true })
  yield decoder.decode()
}

// Without a name, so that nothing of it is left when the process ends in any way.
const copied = async (file: FileHandle): Promise<FileHandle> => {
  const path = join(tmpdir(), `clientele-import-${randomUUID()}`)
  const { O_CREAT, O_EXCL, O_RDWR } = constants
  const copy = await open(path, O_CREAT | O_EXCL | O_RDWR, 0o600)
  await unlink(path)
  for await (const bytes of bytesOf(file, false)) await copy.writeFile(bytes)
  return copy
}

const stateOf = async (file: FileHandle): Promise<string> => {
  const { size, mtimeMs } = await file.stat()
  return `${size} ${mtimeMs}`
}

/** Opens the file, or standard input as -. */
export const openSource = (path: string, twice: boolean): TE.TaskEither<string, ImportSource> =>
  TE.tryCatch(
    async () => {
      const given = await open(path === '-' ? '/dev/stdin' : path, 'r')
      const isFile = (await given.stat()).isFile() && path !== '-'
      const file = isFile || !twice ? given : await copied(given)
      const state = await stateOf(file)
      return {
        chunks: () => textOf(bytesOf(file, isFile || twice)),
        isUnchanged: async () => (isFile ? (await stateOf(file)) === state : true),
        close: async () => {
          await file.close()
          if (file !== given) await given.close()
        },
      }
    },
    (error) => `${path} cannot be read (${errorReason(error)})`,
  )

// How a text is split into records. A library for streams of JSON would end at the first flaw, and shows neither the text
// of a record, in which a member may be there twice, nor its line.

/** In characters: a longer record is no client, and is not kept in memory. */
export const maxRecord = 1_048_576

/** The text of one record, and the line on which it begins; without a text if it is too long. */
type RecordText = { readonly line: number; readonly text?: string }

/** Splits the text of a file into records. */
export type SplitRecords = {
  /** The records that end in the chunk. */
  readonly push: (chunk: string) => ReadonlyArray<RecordText>
  /** The record that the end of the file ends; one that is cut off has the text that is there. */
  readonly end: () => ReadonlyArray<RecordText>
}

/** Splits a file with one JSON value in each line; a line that is too long is dropped while it is read. */
export const splitLines = (): SplitRecords => {
  let line = 1
  let begun = ''
  let isTooLong = false
  const ended = (rest: string): ReadonlyArray<RecordText> => {
    const text = begun + rest
    const record = isTooLong || text.length > maxRecord ? { line } : { line, text }
    line += 1
    begun = ''
    isTooLong = false
    return record.text?.trim() === '' ? [] : [record]
  }
  return {
    push: (chunk) => {
      const parts = chunk.split('\n')
      const last = parts.pop() ?? ''
      const records = parts.flatMap(ended)
      begun += last
      if (begun.length > maxRecord) [begun, isTooLong] = ['', true]
      return records
    },
    end: () => (begun === '' && !isTooLong ? [] : ended('')),
  }
}

// RFC 8259 §2 and §7; an escape includes the escaped character
const marks = /\\[^]|[\\"[\]{},]/g

const step: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 }

// The name of a member and its colon, which may stand in text that is dropped otherwise.
const endOfDropped = 256

const linesIn = (text: string): number => text.split('\n').length - 1

/**
 * Splits a JSON document. Its records are the elements of its array; or those of the list, which is a member of its
 * object, or of each object in its array; or it is one object, without the list.
 */
export const splitDocument = (list: string | undefined, longest = maxRecord): SplitRecords => {
  const nameOfList = list === undefined ? undefined : new RegExp(`(?<!\\\\)"${list}"\\s*:\\s*$`)
  const records: Array<RecordText> = []
  let line = 1
  let quoted = false
  // An escape whose second character is in the next chunk
  let pending = ''
  let depth = 0
  // The depth at which commas separate records, and that outside of the list
  let recordDepth = 0
  let outerDepth = 0
  // The present record, or the end of what is dropped, and the line on which it begins; 0 before its beginning
  let text = ''
  let began = 0
  let dropped: 'no' | 'too long' | 'around the list' = 'no'

  const take = (part: string): void => {
    const start = began === 0 ? part.search(/\S/) : -1
    if (start >= 0) began = line + linesIn(part.slice(0, start))
    line += linesIn(part)
    text += part
    if (dropped === 'no' && text.length > longest) dropped = 'too long'
    if (dropped !== 'no') text = text.slice(-endOfDropped)
  }
  const begin = (): void => {
    ;[text, began, dropped] = ['', 0, 'no']
  }
  const endRecord = (): void => {
    if (dropped === 'too long') records.push({ line: began === 0 ? line : began })
    if (dropped === 'no' && began > 0) records.push({ line: began, text })
    begin()
  }
  const mayDivide = (mark: string): boolean => {
    if (mark === '{') return false
    if (mark !== '[') return depth === recordDepth || (mark !== ',' && depth === 1 && recordDepth === 0)
    return depth === 0 || (recordDepth === outerDepth && depth === recordDepth + 1)
  }
  // Whether the mark stands around or between records, and not in one: what it ends is ended.
  const divides = (mark: string): boolean => {
    if (mark === '[') {
      if (depth > 0 && nameOfList?.test(text.slice(-endOfDropped)) !== true) return false
      if (depth === 0) outerDepth = 1
      recordDepth = depth + 1
      begin()
      return true
    }
    // The end of an object that is the only record
    if (depth > recordDepth) take(mark)
    endRecord()
    if (mark !== ',' && recordDepth !== outerDepth) [recordDepth, dropped] = [outerDepth, 'around the list']
    return true
  }
  return {
    push: (chunk) => {
      const all = pending + chunk
      let from = 0
      pending = ''
      for (const { 0: mark, index } of all.matchAll(marks)) {
        if (mark === '\\') pending = mark
        else if (mark === '"') quoted = !quoted
        else if (!quoted && mark.length === 1) {
          if (mayDivide(mark)) {
            take(all.slice(from, index))
            from = divides(mark) ? index + 1 : index
          }
          depth += step[mark] ?? 0
        }
      }
      take(all.slice(from, all.length - pending.length))
      return records.splice(0)
    },
    end: () => {
      const isCutOff = depth > 0 && (depth <= recordDepth || dropped === 'around the list')
      endRecord()
      // No JSON: a document that is cut off between two records is broken as well.
      return [...records.splice(0), ...(isCutOff ? [{ line, text: '[' }] : [])]
    },
  }
}

/** The elements of a JSON array in chunks, in the memory of one element; throws when the array is cut off. */
export async function* jsonArrayElements(chunks: AsyncIterable<string> | Iterable<string>): AsyncGenerator {
  const { push, end } = splitDocument(undefined, Infinity)
  let isArray = false
  for await (const chunk of chunks) {
    isArray ||= chunk.trimStart().startsWith('[')
    for (const { text = '' } of push(chunk)) yield JSON.parse(text)
  }
  for (const { text = '' } of end()) yield JSON.parse(text)
  if (!isArray) throw new Error('the JSON array is cut off')
}

/** The same, of an answer while it arrives. */
export const answeredElements = ({ body }: Response): AsyncGenerator =>
  jsonArrayElements(body?.pipeThrough(new TextDecoderStream('utf-8', { fatal: true })) ?? [])

/** What stands in an answer for a client that cannot be read. */
export const UnreadableClient = t.type({ client_id: t.string, unreadable: t.literal(true) })

// What the records are.

/** A record, and the line of the file on which it begins. */
export type FileRecord = { readonly line: number; readonly read: ReadRecord }

const isObjectWith = (value: unknown, name: string | undefined): boolean =>
  typeof value === 'object' && value !== null && (name === undefined || name in value)

// A line that is a whole object, and not one that holds the list, is the first of many.
const isWholeRecord = (line: string, { list }: ClientFormat): boolean => {
  const json = readJson(line)
  return (
    E.isRight(json) && isObjectWith(json.right, undefined) && (list === undefined || !isObjectWith(json.right, list))
  )
}

/** How the file is divided, by its beginning, whose first line may be cut off. */
const splitterFor = (format: ClientFormat, begun: string): SplitRecords => {
  const firstLine = begun.trimStart().split('\n', 1)[0] ?? ''
  const isOfLines = !firstLine.startsWith('[') && (format.linesOnly || isWholeRecord(firstLine, format))
  return isOfLines ? splitLines() : splitDocument(format.list)
}

const recordOf = ({ line, text }: RecordText, format: ClientFormat): FileRecord => {
  const json = text === undefined ? undefined : readJson(text.trimStart())
  if (json !== undefined && E.isRight(json)) return { line, read: format.read(json.right) }
  const found = importFault(json === undefined ? 'import-record-size' : 'import-json')()
  const where = json === undefined ? '' : ` (line ${line + (json.left.line ?? 1) - 1})`
  return {
    line,
    read: { kind: 'broken', client_id: undefined, faults: [{ ...found, description: found.description + where }] },
  }
}

export async function* readRecords(chunks: AsyncIterable<string>, format: ClientFormat): AsyncGenerator<FileRecord> {
  let splitter: SplitRecords | undefined = undefined
  let begun = ''
  for await (const chunk of chunks) {
    begun += chunk
    const hasFirstLine = begun.length > maxRecord || begun.trimStart().includes('\n')
    if (splitter === undefined && !hasFirstLine) continue
    splitter ??= splitterFor(format, begun)
    for (const record of splitter.push(begun)) yield recordOf(record, format)
    begun = ''
  }
  splitter ??= splitterFor(format, begun)
  for (const record of [...splitter.push(begun), ...splitter.end()]) yield recordOf(record, format)
}
