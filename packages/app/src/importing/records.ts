// What the formats of other servers have in common.
import {
  type ClientDraft,
  type ImportFinding,
  type LeftOutId,
  type ReadRecord,
  importFault,
} from '@clientele/domain/importing'
import { isPlainObject, ownMember, secondsOfText } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'

// Parts of records that several formats have.

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

// Records whose members have the names of RFC 7591: those of node-oidc-provider, Connect2id and Ory Hydra.

// RFC 7591 §3.2.1, RFC 7592 §3: what a server issues, which is no metadata
const issued = [
  'client_id',
  'client_secret',
  'client_secret_expires_at',
  'client_id_issued_at',
  'registration_access_token',
  'registration_client_uri',
]

/** The draft of a client information response. */
export const draftOf = (record: JsonRecord): ClientDraft => ({
  client_id: ownMember(record, 'client_id'),
  ...present({
    client_secret: ownMember(record, 'client_secret'),
    client_secret_expires_at: ownMember(record, 'client_secret_expires_at'),
    client_id_issued_at: ownMember(record, 'client_id_issued_at'),
    registration_access_token: ownMember(record, 'registration_access_token'),
  }),
  metadata: present(Object.fromEntries(Object.entries(record).filter(([name]) => !issued.includes(name)))),
})

// Times of other stores, in seconds since the epoch.

const secondsIn = (value: unknown): number | undefined => {
  if (typeof value === 'string') return secondsOfText(value)
  return typeof value === 'number' ? Math.floor(value / 1000) : undefined
}

/** Seconds since the epoch, from a time of RFC 3339 or from milliseconds. */
export const secondsOf = (value: unknown): number | undefined => {
  const seconds = secondsIn(value)
  return seconds !== undefined && Number.isSafeInteger(seconds) && seconds >= 0 ? seconds : undefined
}
