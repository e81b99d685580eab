// The client of a client_id: registered, or documented (draft-ietf-oauth-client-id-metadata-document); decision 0145.
import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import type { Fault } from '../codec/fault.js'
import type { RegisteredClient } from '../registration/registered-client.js'

export type KnownClient =
  | { readonly kind: 'registered'; readonly client: RegisteredClient }
  /** An end-user must be asked before the document counts: no client is stored yet, or another document was approved. */
  | {
      readonly kind: 'documented'
      /** As it is stored when an end-user consents. */
      readonly client: RegisteredClient
      /** As an end-user approved it last: it counts where no end-user can be asked. */
      readonly approved: RegisteredClient | undefined
    }

/** That of the stored client, if there is one. */
export const registrationOfKnown = (known: KnownClient): RegisteredClient | undefined =>
  known.kind === 'registered' ? known.client : known.approved

/** The document is not accepted, is not there, or has faults. */
export type DocumentRefused = {
  readonly error: 'document_refused'
  readonly error_description: string
  /** For the log. */
  readonly errors: ReadonlyNonEmptyArray<Fault>
}

/** The policy suspends the client, because its document has changed. */
export type DocumentSuspended = { readonly error: 'document_suspended' }

export const documentSuspended: DocumentSuspended = { error: 'document_suspended' }

// The same text for each, so that no party learns from the answers of this service which ports of a host are open.
const notThere: ReadonlyArray<string> = ['document-unreachable', 'document-withdrawn', 'document-json']

/** What every party may read about the refusal: a document that is not there is described in one way. */
export const documentRefused = (errors: ReadonlyNonEmptyArray<Fault>): DocumentRefused => ({
  error: 'document_refused',
  error_description: errors.some(({ rule }) => notThere.includes(rule))
    ? 'there is no document at client_id: its URL must answer with 200 and a JSON object'
    : errors[0].description,
  errors,
})
