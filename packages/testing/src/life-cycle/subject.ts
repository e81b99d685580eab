import type { SentMetadata } from '../arbitraries/json-values.js'

/** The returned client information: RFC 7591 §3.2.1. */
export type ReportedClient = Readonly<Record<string, unknown>>

/** The status of a refusal: 401, and 403. */
export type NotDone = 'unauthorized' | 'forbidden'

/**
 * The subject of a life cycle: a registry of clients, through any interface. It is empty at the start, registers with
 * an initial access token only, and renews the secret and the registration access token of a client with each update.
 */
export type LifeCycleSubject = {
  /** Issues an initial access token for the scope, with a lifetime in seconds. */
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
  /** Advances the clock of the subject by so many seconds. */
  readonly pass: (seconds: number) => Promise<void>
}
