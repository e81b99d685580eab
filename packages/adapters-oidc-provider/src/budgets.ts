// What anonymous parties and failed client authentication cost: docs/abuse.md.
import { isOpenClient } from '@clientele/domain/life-cycle'
import type { ArtefactKind } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import type { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { AdapterPayload, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { type EngineClient, registeredOf } from './clients/find-client.js'
import { knownOfRequest, presentRequest } from './context.js'
import { TooManyRequests } from './errors.js'
import type { EnginePorts } from './ports.js'
import { refusalEvents } from './watch-refusals.js'

type Ports = Pick<EnginePorts, 'consumeBudget'>

/** Whether nobody vouches for the client: where anyone may register one, its secret and its keys prove nothing. */
export const isOfNobody = (client: EngineClient): boolean => isOpenClient(registeredOf(client))

/** The backend of an application pushes the requests of many end-users; a client without authentication may be any party. */
export const isPushedByAnyone = (client: EngineClient): boolean =>
  client.tokenEndpointAuthMethod === 'none' || isOfNobody(client)

const isAnonymous = (kind: ArtefactKind, payload: AdapterPayload): boolean => {
  if (kind === 'interaction') return payload.session?.accountId === undefined
  const client = presentRequest()?.oidc.client
  return kind === 'pushed_authorization_request' && client !== undefined && isPushedByAnyone(client)
}

/** Of the work of a request for an anonymous party, before it is done: one unit, however much it is. */
export const consumeForAnonymous = async ({ consumeBudget }: Ports): Promise<void> => {
  const request = presentRequest()
  if (request === undefined) return
  const known = knownOfRequest(request)
  if (known.hasBudget) return
  const consumed = await consumeBudget('authorizations', request.req)()
  if (E.isLeft(consumed)) throw new TooManyRequests(request, 'authorizations', consumed.left)
  known.hasBudget = true
}

/** Before a row is made for a party that is not known: the end-user has no session, or nobody vouches for the client. */
export const consumeForRow = async (ports: Ports, kind: ArtefactKind, payload: AdapterPayload): Promise<void> => {
  if (isAnonymous(kind, payload)) await consumeForAnonymous(ports)
}

/** Answers 429 in place of RFC 6749 §5.2 invalid_client where the source has failed too often. */
export const countFailures = (provider: Provider, { consumeBudget }: Ports): void => {
  const emitter: EventEmitter = provider
  const failed = new WeakSet<IncomingMessage>()
  for (const event of refusalEvents)
    emitter.on(event, ({ req }: KoaContextWithOIDC, { error }: Error & { readonly error?: string }) => {
      if (error === 'invalid_client') failed.add(req)
    })
  provider.use(async (request: KoaContextWithOIDC, next) => {
    await next()
    // An authorization request has no credential of a client.
    if (!failed.has(request.req) || request.oidc.route === 'authorization') return
    const consumed = await consumeBudget('credentials', request.req)()
    if (E.isRight(consumed)) return
    const refusal = new TooManyRequests(request, 'credentials', consumed.left)
    emitter.emit('grant.error', request, refusal)
    request.status = refusal.statusCode
    request.remove('WWW-Authenticate')
    request.body = { error: refusal.error, error_description: refusal.error_description }
  })
}
