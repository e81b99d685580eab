import type { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { EngineRefusal } from './engine-refusal.js'

/** The events of the engine with a request that it refused, and the error. */
export const refusalEvents = [
  'authorization.error',
  'grant.error',
  'userinfo.error',
  'introspection.error',
  'revocation.error',
  'pushed_authorization_request.error',
] as const

type Cause = Error & { readonly error?: string; readonly error_detail?: string }

const refusalBy = (cause: Cause): EngineRefusal => ({
  error: cause.error ?? 'server_error',
  ...(cause.error_detail === undefined ? {} : { detail: cause.error_detail }),
})

/** The refusal of each request, until the request is finished. A defect is reported with its cause. */
export const watchRefusals = (provider: Provider): ((request: IncomingMessage) => EngineRefusal | undefined) => {
  const emitter: EventEmitter = provider
  const refusals = new WeakMap<IncomingMessage, EngineRefusal>()
  for (const event of refusalEvents)
    emitter.on(event, (request: KoaContextWithOIDC, cause: Cause) => {
      refusals.set(request.req, refusalBy(cause))
    })
  emitter.on('server_error', (request: KoaContextWithOIDC, cause: Cause) => {
    refusals.set(request.req, { error: 'server_error', cause })
  })
  // An error outside of the handlers of the engine; Koa would print it.
  provider.silent = true
  emitter.on('error', (cause: Error, request?: KoaContextWithOIDC) => {
    if (request !== undefined) refusals.set(request.req, { error: 'server_error', cause })
  })
  return (request) => refusals.get(request)
}
