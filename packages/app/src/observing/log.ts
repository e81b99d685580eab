import { type Logger, pino } from 'pino'
import { traceMembers } from './tracing.js'
import { readableLine } from './readable-line.js'

/** A stream of the process, as a value. */
export type Output = {
  readonly write: (text: string) => unknown
  /** The number of buffered bytes. */
  readonly writableLength: number
  readonly isTTY?: boolean | undefined
}

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'fatal'>

const maxPending = 1_048_576

/**
 * JSON lines, or readable ones on a terminal. When the reader stalls, entries are dropped and the service continues.
 */
export const createLog = (
  level: string,
  output: Output,
  members: Readonly<Record<string, number>> | null = null,
): Log => {
  const format = output.isTTY === true ? readableLine : (line: string) => line
  const write = (line: string): void => {
    if (output.writableLength < maxPending) output.write(format(line))
  }
  return pino(
    {
      level,
      base: members,
      mixin: traceMembers,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: pino.stdSerializers.err, detail: pino.stdSerializers.err },
      formatters: { level: (label) => ({ level: label }) },
    },
    { write },
  )
}

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
