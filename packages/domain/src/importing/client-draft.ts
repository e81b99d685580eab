// A client of another store, in the terms of this service. Its values are those of the record, not judged yet.
import * as t from 'io-ts'
import type { ImportFinding, LeftOutId } from './import-texts.js'

// In JSON, a member that is undefined is left out.
const Values = t.partial({
  client_id: t.unknown,
  client_secret: t.unknown,
  client_secret_expires_at: t.unknown,
  registration_access_token: t.unknown,
  client_id_issued_at: t.unknown,
  registered_by: t.unknown,
  privileges: t.unknown,
  provenance: t.unknown,
  suspended_at: t.unknown,
  last_used_at: t.unknown,
})

export const ClientDraft = t.readonly(t.intersection([t.type({ metadata: t.UnknownRecord }), Values]), 'ClientDraft')

export interface ClientDraft extends t.TypeOf<typeof ClientDraft> {}

/** What a format says of a record of its file. */
export type ReadRecord =
  | {
      readonly kind: 'client'
      readonly draft: ClientDraft
      /** What the record has, and the draft cannot say. */
      readonly notes: ReadonlyArray<ImportFinding>
    }
  | { readonly kind: 'left_out'; readonly client_id: string | undefined; readonly reason: LeftOutId }
  | { readonly kind: 'broken'; readonly client_id: string | undefined; readonly faults: ReadonlyArray<ImportFinding> }

/** Reads a record, which is any JSON value. Total. */
export type ReadClientRecord = (record: unknown) => ReadRecord
