import type { HttpLogEntry } from '@clientele/adapters-http'
import { type Logger, pino } from 'pino'
import { readableLine } from './readable-line.js'
import { type PlainEntry, requestMembers } from './request-lines.js'
import { traceMembers } from './tracing.js'

/** A stream of the process, as a value. */
export type Output = {
  readonly write: (text: string) => unknown
  /** The number of buffered bytes. */
  readonly writableLength: number
  readonly isTTY?: boolean | undefined
}

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'fatal'> & {
  /** Writes the same line as `info`, where it is quicker; left out where the log is of a host. */
  readonly request?: (entry: PlainEntry) => void
}

const maxPending = 1_048_576
const requestMessage = 'request'

// The present time in ISO 8601, as text that is made once for each millisecond.
const createIsoTime = (): (() => string) => {
  let last = Number.NaN
  let text = ''
  return () => {
    const now = Date.now()
    if (now !== last) {
      last = now
      text = new Date(now).toISOString()
    }
    return text
  }
}

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
  const isoTime = createIsoTime()
  const logger = pino(
    {
      level,
      base: members,
      mixin: traceMembers,
      timestamp: () => `,"time":"${isoTime()}"`,
      serializers: { err: pino.stdSerializers.err, detail: pino.stdSerializers.err },
      formatters: { level: (label) => ({ level: label }) },
    },
    { write },
  )
  const own = members === null ? '' : `,${JSON.stringify(members).slice(1, -1)}`
  const request = (entry: PlainEntry): void =>
    write(`{"level":"info","time":"${isoTime()}"${own}${requestMembers(entry)},"msg":"${requestMessage}"}\n`)
  return Object.assign(logger, logger.isLevelEnabled('info') ? { request } : {})
}

/** One entry for each request; failures of the service have the level error. */
export const logRequest = (log: Log): ((entry: HttpLogEntry) => void) => {
  const plainly = log.request ?? ((entry: PlainEntry) => log.info(entry, requestMessage))
  return (entry) => {
    if (entry.status >= 500 || entry.detail !== undefined) log.error(entry, 'request failed')
    else plainly(entry)
  }
}
