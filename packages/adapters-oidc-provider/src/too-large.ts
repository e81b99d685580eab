// RFC 9110 §15.5.14: a body that is too long. The engine answers it with 400, as one that it cannot parse.
import type { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import type { EnginePorts } from './ports.js'
import { refusalEvents } from './watch-refusals.js'

const isTooLarge = ({ cause }: Error): boolean => cause instanceof Error && cause.message === 'request entity too large'

/** Answers 413, after the rest of the body, so that a client that is still sending receives it. */
export const answerTooLarge = (provider: Provider, { discardRest }: Pick<EnginePorts, 'discardRest'>): void => {
  const emitter: EventEmitter = provider
  const refused = new WeakSet<IncomingMessage>()
  for (const event of refusalEvents)
    emitter.on(event, ({ req }: KoaContextWithOIDC, error: Error) => {
      if (isTooLarge(error)) refused.add(req)
    })
  provider.use(async (request: KoaContextWithOIDC, next) => {
    await next()
    if (!refused.has(request.req)) return
    await discardRest(request.req)
    request.status = 413
    request.set('Connection', 'close')
    request.body = { error: 'invalid_request', error_description: 'the body is larger than 57344 bytes' }
  })
}
