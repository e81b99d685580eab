import { reasonOf } from './reason.js'

/** Why there is no response. */
export type OutboundFailure = {
  /**
   * `unable`: this service could not reach out, or its name servers did not answer. `forbidden`: nothing is ever sent there, as
   * the settings are. `failed`: all else, which is the other side's.
   */
  readonly kind: 'unable' | 'forbidden' | 'failed'
  /** Short, for the log. */
  readonly reason: string
}

/** An error that says itself on whose side it lies. */
export class OutboundError extends Error {
  constructor(
    readonly kind: OutboundFailure['kind'],
    message: string,
  ) {
    super(message)
  }
}

/** The failure of an error, of the given kind where it does not say its own. */
export const failureOf =
  (kind: OutboundFailure['kind']) =>
  (error: unknown): OutboundFailure => ({
    kind: error instanceof OutboundError ? error.kind : kind,
    reason: reasonOf(error),
  })
