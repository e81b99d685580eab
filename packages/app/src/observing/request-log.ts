import type { Log } from './log.js'

export type RequestEntry = {
  readonly request_id: string
  readonly method: string
  readonly route: string
  readonly status: number
  readonly duration_ms: number
  readonly remote_address?: string | undefined
  /** The failure, for the operator only. */
  readonly detail?: unknown
}

/** One entry for each request; failures of the service have the level error. */
export const logRequest =
  (log: Log) =>
  (entry: RequestEntry): void => {
    if (entry.status >= 500 || entry.detail !== undefined) log.error(entry, 'request failed')
    else log.info(entry, 'request')
  }
