/** Why a request was refused, for its log entry. */
export type EngineRefusal = {
  /** The error code that was answered. */
  readonly error: string
  /** What the answer does not say; it contains no secret. */
  readonly detail?: string
  /** Why the service failed. */
  readonly cause?: Error
  readonly client_id?: string
}
