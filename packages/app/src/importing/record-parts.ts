// What the formats of other servers have in common: the parts of a record, and the draft of its client.
import {
  type ImportFinding,
  type LeftOutId,
  type ReadClientRecord,
  importFault,
  importNote,
} from '@clientele/domain/importing'
import { EpochSeconds, isPlainObject, ownMember, secondsOfText } from '@clientele/domain/kernel'

export type JsonRecord = Readonly<Record<string, unknown>>

export const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

export const textOf = (record: JsonRecord, name: string): string | undefined => {
  const value = ownMember(record, name)
  return typeof value === 'string' ? value : undefined
}

/** Without members that have no value. */
export const present = (members: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null))

/** The values of members that have other names there. */
export const renamed = (record: JsonRecord, names: Readonly<Record<string, string>>): JsonRecord =>
  Object.fromEntries(Object.entries(names).map(([member, name]) => [member, ownMember(record, name)]))

/** The JSON of a text column, or the value of a column of JSON. */
export const jsonOf = (value: unknown): unknown => {
  if (typeof value !== 'string') return value
  try {
    const json: unknown = JSON.parse(value)
    return json
  } catch {
    return undefined
  }
}

export const objectOf = (value: unknown): JsonRecord => {
  const json = jsonOf(value)
  return isPlainObject(json) ? json : {}
}

export const isEmpty = (value: unknown): boolean =>
  value === '' ||
  value === null ||
  (isList(value) && value.length === 0) ||
  (isPlainObject(value) && Object.keys(value).length === 0)

/** Seconds since the epoch, from a time of RFC 3339 or from milliseconds. */
export const secondsOf = (value: unknown): EpochSeconds | undefined => {
  const seconds =
    typeof value === 'string' ? secondsOfText(value) : typeof value === 'number' ? Math.floor(value / 1000) : undefined
  return EpochSeconds.is(seconds) ? seconds : undefined
}

/** What a record says of its client. */
export type Said = {
  readonly credentials: JsonRecord
  readonly metadata: JsonRecord
  /** What the record has, and the other parts cannot say. */
  readonly notes?: ReadonlyArray<ImportFinding>
}

/** Reads the objects that have the client_id in the member; of a client that is left out, only the reason is said. */
export const clientsBy =
  (idName: string, say: (record: JsonRecord, client_id: string) => Said | LeftOutId): ReadClientRecord =>
  (record) => {
    const client_id = isPlainObject(record) ? textOf(record, idName) : undefined
    if (!isPlainObject(record) || client_id === undefined)
      return { kind: 'broken', client_id, faults: [importFault('import-record')()] }
    const said = say(record, client_id)
    if (typeof said === 'string') return { kind: 'left_out', client_id, reason: said }
    const { credentials, metadata, notes = [] } = said
    return { kind: 'client', draft: { client_id, ...present(credentials), metadata: present(metadata) }, notes }
  }

export const droppedNote = (name: string): ImportFinding => importNote('member-dropped')(name)
