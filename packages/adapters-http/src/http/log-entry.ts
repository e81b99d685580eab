// The log entry of a request, and its trace.
import type { TraceContext } from '../observing/trace-context.js'
import type { Actor } from './response.js'

/** The log entry of a request: no header, query or body, and the route's pattern in place of the path. */
export type HttpLogEntry = {
  readonly request_id: string
  readonly method: string
  readonly route: string
  readonly status: number
  readonly duration_ms: number
  readonly remote_address?: string
  readonly detail?: unknown
  /** Why a page was shown. */
  readonly reason?: string
  /** Why the request was refused: a code of the standards or of the transport. */
  readonly error?: string
  /** The violated rules of the body, by id. */
  readonly rules?: ReadonlyArray<string>
  /** Where these are violated, as JSON pointers: the first of them, without names that the client chose. */
  readonly pointers?: ReadonlyArray<string>
  /** The client that the request is about, if it exists: also a new one. */
  readonly client_id?: string
  /** Who sent the request: never a credential. */
  readonly actor?: Actor
  /** W3C Trace Context: the trace of the request, and its span. */
  readonly trace_id?: string
  readonly span_id?: string
}

/** The trace of a request while it is answered. */
export type Traced = {
  readonly context: TraceContext
  /** Runs the work in the trace, so that requests to others continue it. */
  readonly run: <A>(work: () => A) => A
  /** Called once, with the entry of the log. */
  readonly end: (entry: HttpLogEntry) => void
}
