// Parts of records that several formats have.
import * as E from 'fp-ts/lib/Either.js'
import { isPlainObject, ownMember } from '../../codec/json-object.js'
import type { ClientDraft, ReadRecord } from '../client-draft.js'
import { type ImportFinding, type LeftOutId, importFault } from '../import-texts.js'

export type JsonRecord = Readonly<Record<string, unknown>>

export const textOf = (record: JsonRecord, name: string): string | undefined => {
  const value = ownMember(record, name)
  return typeof value === 'string' ? value : undefined
}

export const noClient = (client_id?: string): ReadRecord => ({
  kind: 'broken',
  client_id,
  faults: [importFault('import-record')()],
})

export const leftOut = (client_id: string | undefined, reason: LeftOutId): ReadRecord => ({
  kind: 'left_out',
  client_id,
  reason,
})

export const clientRecord = (draft: ClientDraft, notes: ReadonlyArray<ImportFinding> = []): ReadRecord => ({
  kind: 'client',
  draft,
  notes,
})

/** Without members that have no value. */
export const present = (members: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null))

/** The JSON of a text column, or the value of a column of JSON. */
export const jsonOf = (value: unknown): unknown =>
  typeof value === 'string'
    ? E.getOrElse((): unknown => undefined)(
        E.tryCatch(
          (): unknown => JSON.parse(value),
          () => undefined,
        ),
      )
    : value

export const objectOf = (value: unknown): JsonRecord => {
  const json = jsonOf(value)
  return isPlainObject(json) ? json : {}
}

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

/** The texts of a list, of a list as JSON, or of a text with separators. */
export const textsOf = (value: unknown, separator: RegExp): ReadonlyArray<unknown> | undefined => {
  const list = isList(value) ? value : jsonOf(value)
  if (isList(list)) return list
  return typeof value === 'string' ? value.split(separator).filter((text) => text !== '') : undefined
}
