// What the clients of an endurance run did and saw, in the order in which each client saw it.

/** An answer with 2xx to a write is an acknowledgement. */
export type Entry =
  /** An initial access token was issued. */
  | { readonly kind: 'issued'; readonly token: string }
  | {
      readonly kind: 'registered'
      readonly token: string
      readonly id: string
      readonly credential: string
      readonly name: string
    }
  | { readonly kind: 'updated'; readonly id: string; readonly credential: string; readonly name: string }
  | { readonly kind: 'deleted'; readonly id: string }
  /** A registration with the token was refused with 401. */
  | { readonly kind: 'token_refused'; readonly token: string }
  /** No answer, or 503, to a write. */
  | { readonly kind: 'registration_in_doubt'; readonly token: string }
  | { readonly kind: 'update_in_doubt' | 'deletion_in_doubt'; readonly id: string }
  /** A registration access token was accepted, or refused with 401. */
  | { readonly kind: 'accepted' | 'refused'; readonly id: string; readonly credential: string }
  /** At the end, in the list of all clients; the token is that of its name. */
  | { readonly kind: 'found'; readonly id: string; readonly token: string; readonly name: string }
  /** At the end, not in that list. */
  | { readonly kind: 'missing'; readonly id: string }

export type Fault = 'instance killed' | 'database crashed' | 'database read-only' | 'tables locked' | 'failover'

/** The milliseconds from the end of the fault to the first acknowledged write. */
export type Recovery = { readonly fault: Fault; readonly milliseconds: number }

export type Journal = {
  readonly entries: Array<Entry>
  readonly faults: Array<Fault>
  readonly recoveries: Array<Recovery>
  /** Requests for the key set that reached a live instance. */
  readonly keySets: { requested: number; answered: number }
  /** Answers that no request may have. */
  readonly unexpected: Array<string>
  /** By `performance.now()`. */
  lastAcknowledgement: number
}

export const newJournal = (): Journal => ({
  entries: [],
  faults: [],
  recoveries: [],
  keySets: { requested: 0, answered: 0 },
  unexpected: [],
  lastAcknowledgement: 0,
})

export const acknowledge = (journal: Journal, entry: Entry): void => {
  journal.entries.push(entry)
  journal.lastAcknowledgement = performance.now()
}
