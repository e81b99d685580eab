// A request and its answer, from its arrival to its log entry: the same in every shell.
import { sourceOf, tooManyRequests } from '@clientele/domain/kernel'
import { type BudgetConsumption, unlimited } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import { errorResponse, transportResponse } from '../http/error-response.js'
import type { ReadBytes, ReceivedRequest } from '../http/request.js'
import {
  type Chunks,
  type HttpResponse,
  type ResponseBody,
  type ResponseHeaders,
  reportingErrors,
} from '../http/response.js'
import { createBrowserPages } from '../pages/browser-pages.js'
import type { HttpPorts } from '../ports.js'
import { type HandleSettings, createHandle } from './handle.js'
import type { Report } from './report.js'
import { type FoundRoute, type Route, createRouting } from './routing.js'
import {
  type AnswerPolicy,
  type UnroutedSettings,
  createUnrouted,
  crossOriginHeaders,
  unpublished,
} from './unrouted.js'

/** An answer with all of its headers except those for framing, which the shell adds. */
export type Answer = {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly setCookies?: ReadonlyArray<string>
  readonly content: string | Chunks | undefined
  /** RFC 9112 §9.6: after an unread body, the connection cannot be reused. */
  readonly leavesBody: boolean
}

export type Exchange = {
  readonly answer: Answer
  /** The answer in place of one that cannot be sent. */
  readonly defect: (detail: unknown) => Answer
}

/** Answers at the route that the shell found, and fills in the report. Rejects only if a port throws that must not. */
export type Serve<Peer> = (found: FoundRoute | undefined, report: Report, peer: Peer) => Promise<Exchange>

export type ServeSettings = UnroutedSettings & Omit<HandleSettings, 'hashToken'>

/** The ports beside those of the routes. */
export type ServePorts = Pick<HttpPorts, 'service'>

const contentOf = (body: ResponseBody, report: Report): Answer['content'] => {
  switch (body.kind) {
    case 'empty':
      return undefined
    case 'json':
      return JSON.stringify(body.value)
    case 'text':
      return body.text
    case 'stream':
      return reportingErrors(body.chunks, (fault) => (report.fault = fault))
  }
}

// RFC 7591 §3.2.1, RFC 6749 §5.1: answers with credentials are not stored
const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }

export type Complete = (report: Report, response: HttpResponse, at: AnswerPolicy) => Answer

/** Adds the headers of every answer at its address. */
export const completing =
  ({ corsOrigins }: Pick<ServeSettings, 'corsOrigins'>): Complete =>
  (report, response, { origins, stored }) => {
    const { status, body, setCookies, leavesBody = false } = response
    report.response = response
    const content = contentOf(body, report)
    const headers = Object.assign(
      { 'X-Request-Id': report.received.requestId, 'X-Content-Type-Options': 'nosniff' },
      response.headers,
      stored ? undefined : noStore,
      origins === 'none' ? undefined : crossOriginHeaders(origins, corsOrigins, report.received.headers.origin),
    )
    const answer = { status, headers, content, leavesBody }
    return setCookies === undefined ? answer : Object.assign(answer, { setCookies })
  }

/** The answer in place of one that failed. */
export const failing =
  (complete: Complete, report: Report): Exchange['defect'] =>
  (detail) =>
    complete(report, transportResponse({ error: 'defect', detail }), unpublished)

/**
 * RFC 6585 §4 in place of RFC 6750 §3.1, where the source has failed too often. A valid credential costs nothing, so that
 * no party is locked out that shares its address with an attacker.
 */
const countingFailures =
  ({ consumeBudget }: BudgetConsumption) =>
  async ({ remoteAddress }: ReceivedRequest, response: HttpResponse): Promise<HttpResponse> => {
    if (response.refusal?.error !== 'invalid_token') return response
    const consumed = await consumeBudget('credentials', sourceOf(remoteAddress))()
    return E.isLeft(consumed) ? errorResponse(tooManyRequests('credentials')(consumed.left)) : response
  }

/** Makes the core for a shell with requests of type `Peer`. */
export const createServe = <Peer>(
  routes: ReadonlyArray<Route>,
  settings: ServeSettings,
  ports: ServePorts,
  readBytes: ReadBytes<Peer>,
): Serve<Peer> => {
  const { withPath } = createRouting(routes)
  const { masterToken, operatorAlone, isManagement = false } = settings
  const handle = createHandle(
    { masterToken, operatorAlone, isManagement, hashToken: ports.service.hashToken },
    readBytes,
  )
  const pages = createBrowserPages(settings, ports.service, (path) => withPath(path).length > 0)
  const unrouted = createUnrouted(withPath, settings, pages.unrouted)
  const complete = completing(settings)
  // The socket of the operator has no address, and no attacker.
  const countFailure = countingFailures(operatorAlone === undefined ? ports.service : unlimited)
  const answer = async (found: FoundRoute | undefined, report: Report, peer: Peer): Promise<Answer> => {
    const { received } = report
    if (found === undefined) {
      const { response, policy } = unrouted(received)
      return complete(report, response, policy)
    }
    report.route = found.route.path
    const response = await countFailure(received, await handle(found, received, peer))
    return complete(report, response.refusal === undefined ? response : pages.refused(received, response), found.route)
  }
  return async (found, report, peer) => {
    const { traced } = report.received
    const defect = failing(complete, report)
    const answering = (): Promise<Answer> => answer(found, report, peer).catch(defect)
    return { answer: await (traced?.run(answering) ?? answering()), defect }
  }
}
