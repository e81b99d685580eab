// Prepares the request of a handler: its credential, id and body.
import type { AuditOrigin } from '@clientele/domain/audit'
import { invalidRequest } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import { type BearerSettings, presentedCredential } from '../http/header-fields.js'
import { transportResponse } from '../http/error-response.js'
import {
  type HttpRequest,
  type Query,
  type ReadBytes,
  type ReceivedRequest,
  type RequestBody,
  readBody,
  valuesOf,
} from '../http/request.js'
import type { HttpResponse } from '../http/response.js'
import { aboutClient, byCaller, isFound } from '../http/handler.js'
import type { FoundRoute, Route } from './routing.js'

export type Handle<Peer> = (
  found: FoundRoute,
  received: ReceivedRequest,
  peer: Peer,
) => HttpResponse | Promise<HttpResponse>

// RFC 9110 §9.3.1, §9.3.5: the content of other methods means nothing.
const withContent: ReadonlySet<Route['method']> = new Set(['POST', 'PUT', 'PATCH'])
const noQuery: Query = {}
const noBody: RequestBody = E.right(undefined)
const unreadForm: RequestBody = E.left(invalidRequest('The form is too large, or encoded'))

// A request to a socket has none.
const addressOf = ({ remoteAddress: address = '' }: ReceivedRequest): Pick<AuditOrigin, 'address'> =>
  address === '' ? {} : { address }

export type HandleSettings = BearerSettings & {
  /** Whether the requests come in at the management port. */
  readonly isManagement?: boolean
}

const doorOf = ({ operatorAlone, isManagement = false }: HandleSettings): AuditOrigin['door'] =>
  operatorAlone ?? (isManagement ? 'management' : 'http')

export const createHandle = <Peer>(settings: HandleSettings, readBytes: ReadBytes<Peer>): Handle<Peer> => {
  const credentialOf = presentedCredential(settings)
  const door = doorOf(settings)
  const requestOf = (received: ReceivedRequest, id: string, body: RequestBody): HttpRequest => {
    const { method, headers, remoteAddress, authorization, queryString } = received
    const query = queryString === '' ? noQuery : valuesOf(queryString)
    const origin: AuditOrigin = { door, request_id: received.requestId, ...addressOf(received) }
    const credential = credentialOf(authorization, query, body)
    return { method, headers, remoteAddress, id, query, body, credential, origin }
  }
  // A handler that asks who calls tells it itself.
  const by = (response: HttpResponse, { credential }: HttpRequest): HttpResponse =>
    response.actor === undefined && credential.kind !== 'none'
      ? byCaller(response, { by: 'nobody', credential })
      : response
  const handled = async (route: Route, request: HttpRequest): Promise<HttpResponse> => {
    const response = await route.handler(request)
    const named = route.ofClient && isFound(response) ? aboutClient(response, request.id) : response
    return by(named, request)
  }
  const withBody = async ({ route, id }: FoundRoute, received: ReceivedRequest, peer: Peer) => {
    const body = await readBody(route.takes, received.headers, readBytes, peer)
    if (E.isRight(body)) return handled(route, requestOf(received, id, body.right))
    const refusal = transportResponse(body.left)
    if (route.takes !== 'form') return by(refusal, requestOf(received, id, noBody))
    const page = await handled(route, requestOf(received, id, unreadForm))
    return refusal.leavesBody === true ? { ...page, leavesBody: refusal.leavesBody } : page
  }
  return (found, received, peer) =>
    withContent.has(found.route.method)
      ? withBody(found, received, peer)
      : handled(found.route, requestOf(received, found.id, noBody))
}
