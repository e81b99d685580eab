import { reasonOf } from './reason.js'

/** Why there is no response. */
export type OutboundFailure = {
  /**
   * `unable`: this service could not send the request, or its name servers did not answer. `forbidden`: by the
   * settings, the service never sends to this URL. `failed`: all other failures; the receiver is the cause.
   */
  readonly kind: 'unable' | 'forbidden' | 'failed'
  /** Short, for the log. */
  readonly reason: string
}

/** An error with the kind of its failure. */
export class OutboundError extends Error {
  constructor(
    readonly kind: OutboundFailure['kind'],
    message: string,
  ) {
    super(message)
  }
}

/** The failure of an error; `kind` is for an error without a kind of its own. */
export const failureOf =
  (kind: OutboundFailure['kind']) =>
  (error: unknown): OutboundFailure => ({
    kind: error instanceof OutboundError ? error.kind : kind,
    reason: reasonOf(error),
  })
