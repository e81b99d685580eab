import type { RequestingClient } from './requesting-client.js'

/** Why a request was refused, for its log entry. */
export type EngineRefusal = {
  /** The error code that was answered. */
  readonly error: string
  /** What the answer does not say; it contains no secret. */
  readonly detail?: string
  /** Why the service failed. */
  readonly cause?: Error
}

/** What is known of an answered request. */
export type EngineReport = {
  readonly refusal?: EngineRefusal | undefined
  readonly client?: RequestingClient | undefined
}
