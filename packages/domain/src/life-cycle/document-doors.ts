// What each door answers a client whose client_id is the URL of its metadata: draft-ietf-oauth-client-id-metadata-document-02
// §5, decision 0145. docs/life-cycle.md has the text of the table.
import type { DoorAnswers } from './doors.js'

/** By what is stored, and what its document is at present; an operator suspends a stored client in any of these. */
export const documentStates = [
  'new',
  'approved',
  'changed',
  'unreachable',
  'lost',
  'withdrawn',
  'refused',
  'suspended',
] as const
export type DocumentState = (typeof documentStates)[number]

/** By door, what it may answer. */
export type DocumentDoorAnswers = Pick<DoorAnswers, 'token' | 'logout'> & {
  /** The same metadata, which becomes the client of a registration. */
  readonly registration: 'new_client_id'
  /** Only the document changes its client, so that no party has a registration access token for it. */
  readonly configuration: 'unauthorized'
  /** -02 §8.4: an end-user approves a document before it counts. */
  readonly authorize: DoorAnswers['authorize'] | 'consent'
}

const always = { registration: 'new_client_id', configuration: 'unauthorized' } as const

// Tokens, and the redirect after a logout, are by the stored metadata, which an end-user has approved.
const inForce = { ...always, token: 'answered', logout: 'redirect' } as const
const withoutDocument = { ...always, authorize: 'page', token: 'invalid_client', logout: 'redirect' } as const

/** Complete: a state and a door without an answer do not compile. */
export const answersToDocuments: Readonly<Record<DocumentState, DocumentDoorAnswers>> = {
  new: { ...always, authorize: 'consent', token: 'invalid_client', logout: 'no_redirect' },
  approved: { ...inForce, authorize: 'answered' },
  changed: { ...inForce, authorize: 'consent' },
  unreachable: { ...inForce, authorize: 'answered' },
  lost: withoutDocument,
  withdrawn: withoutDocument,
  refused: withoutDocument,
  suspended: { ...withoutDocument, logout: 'no_redirect' },
}
