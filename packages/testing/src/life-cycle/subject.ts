import type { SentMetadata } from '../arbitraries/json-values.js'

/** Client information as it was told: RFC 7591 §3.2.1. */
export type ReportedClient = Readonly<Record<string, unknown>>

/** Why something was not done: 401, and 403. */
export type NotDone = 'unauthorized' | 'forbidden'

/**
 * What lives: a registry of clients, however it is reached. It knows nothing when a life begins, registers with an initial
 * access token only, and renews the secret and the registration access token of a client with each update.
 */
export type LifeCycleSubject = {
  /** An initial access token for the scope, good for so many seconds. */
  readonly issueToken: (scope: string, lifetime: number) => Promise<string>
  readonly register: (initialAccessToken: string, body: SentMetadata) => Promise<ReportedClient | NotDone>
  readonly read: (id: string, registrationAccessToken: string) => Promise<ReportedClient | NotDone>
  readonly update: (
    id: string,
    registrationAccessToken: string,
    body: SentMetadata,
  ) => Promise<ReportedClient | NotDone>
  readonly remove: (id: string, registrationAccessToken: string) => Promise<'removed' | NotDone>
  /** All clients, in the order of their registration. */
  readonly list: () => Promise<ReadonlyArray<ReportedClient>>
  /** Lets so many seconds pass on the clock of the subject. */
  readonly pass: (seconds: number) => Promise<void>
}
