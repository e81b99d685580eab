// What each endpoint answers to a client, by its state.
import type { ClientState, LifeCycleFacts } from './states.js'

// What each door answers a client in each state: the whole table, of which docs/life-cycle.md is the text.

/** By door, what it may answer. */
export type DoorAnswers = {
  /** POST /clients: the same public client from the same address, where the policy permits that it gets its client_id again. */
  readonly registration: 'same_client_id' | 'new_client_id'
  /** GET, PUT and DELETE /clients/{id} with the registration access token: RFC 7592 §2. */
  readonly configuration: 'answered' | 'forbidden' | 'unauthorized'
  /** RFC 6749 §3.1 */
  readonly authorize: 'answered' | 'page'
  /** RFC 6749 §3.2, and the other endpoints at which a client authenticates. */
  readonly token: 'answered' | 'invalid_client'
  /** The redirect after a logout: OpenID RP-Initiated Logout §3. */
  readonly logout: 'redirect' | 'no_redirect'
}

export type Door = keyof DoorAnswers

export const doors: ReadonlyArray<Door> = ['registration', 'configuration', 'authorize', 'token', 'logout']

const inForce = {
  configuration: 'answered',
  authorize: 'answered',
  token: 'answered',
  logout: 'redirect',
} as const

/** Complete: a state and a door without an answer do not compile. */
export const answersOfDoors: Readonly<Record<ClientState, DoorAnswers>> = {
  unused: { registration: 'same_client_id', ...inForce },
  active: { registration: 'new_client_id', ...inForce },
  idle: { registration: 'new_client_id', ...inForce },
  parked: { registration: 'new_client_id', ...inForce },
  suspended: {
    registration: 'new_client_id',
    configuration: 'forbidden',
    authorize: 'page',
    token: 'invalid_client',
    logout: 'no_redirect',
  },
  gone: {
    registration: 'new_client_id',
    configuration: 'unauthorized',
    authorize: 'page',
    token: 'invalid_client',
    logout: 'no_redirect',
  },
}

export const answerAt = <At extends Door>(door: At, state: ClientState): DoorAnswers[At] => answersOfDoors[state][door]

/** A client that the doors do not answer as one in force. */
export type Withdrawn = 'suspended' | 'gone'

/** For the application and the end-user: what has happened, and the remedy. Fixed ASCII. */
export const withdrawnTexts: Readonly<Record<Withdrawn, string>> = {
  suspended: 'The operator has suspended this client: ask the operator to resume it',
  gone: 'The registration of this client has ended: register it anew, as at its first start',
}

/** Whether the operator has suspended the client; all other registered clients are in force, whatever their use. */
export const isSuspended = ({ suspended_at }: Pick<LifeCycleFacts, 'suspended_at'>): boolean =>
  suspended_at !== undefined

// What each door answers a client whose client_id is the URL of its metadata: draft-ietf-oauth-client-id-metadata-document-02
// §5, decision 0145. docs/life-cycle.md has the text of the table.

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
const documentInForce = { ...always, token: 'answered', logout: 'redirect' } as const
const withoutDocument = { ...always, authorize: 'page', token: 'invalid_client', logout: 'redirect' } as const

/** Complete: a state and a door without an answer do not compile. */
export const answersToDocuments: Readonly<Record<DocumentState, DocumentDoorAnswers>> = {
  new: { ...always, authorize: 'consent', token: 'invalid_client', logout: 'no_redirect' },
  approved: { ...documentInForce, authorize: 'answered' },
  changed: { ...documentInForce, authorize: 'consent' },
  unreachable: { ...documentInForce, authorize: 'answered' },
  lost: withoutDocument,
  withdrawn: withoutDocument,
  refused: withoutDocument,
  suspended: { ...withoutDocument, logout: 'no_redirect' },
}
