import type { Log } from './log.js'

export type RequestEntry = {
  readonly request_id: string
  readonly method: string
  readonly route: string
  readonly status: number
  readonly duration_ms: number
  readonly remote_address?: string | undefined
  /** What went wrong, for the operator only. */
  readonly detail?: unknown
}

/** One entry for each request; what the service failed at is an error. */
export const logRequest =
  (log: Log) =>
  (entry: RequestEntry): void => {
    if (entry.status >= 500 || entry.detail !== undefined) log.error(entry, 'request failed')
    else log.info(entry, 'request')
  }
