// RFC 6749 §4.1.2.1: an end-user whose request must not be redirected reads why.
import { ClientId } from '@clientele/domain/client'
import { isSuspended } from '@clientele/domain/life-cycle'
import type { RegisteredClient } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { ErrorOut, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { allStored } from './artefacts/storing.js'
import { TemporarilyUnavailable } from './errors.js'
import type { EnginePorts } from './ports.js'

const isInForce = (client: RegisteredClient): boolean => !isSuspended(client)

type ErrorPagePorts = Pick<EnginePorts, 'errorPage' | 'findClient'>

// A page without the client is better than none: the store may be the cause of the error.
const clientOf = async (
  { findClient }: ErrorPagePorts,
  request: KoaContextWithOIDC,
): Promise<RegisteredClient | undefined> => {
  const id = request.oidc.params?.['client_id']
  if (!ClientId.is(id)) return undefined
  const found = await findClient(id)()
  // No page leads to a suspended application.
  return E.isRight(found) ? O.toUndefined(O.filter(isInForce)(found.right)) : undefined
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

export const renderError =
  (ports: ErrorPagePorts) =>
  async (request: KoaContextWithOIDC, out: ErrorOut): Promise<void> => {
    const { headers, html } = ports.errorPage({
      error: out.error,
      error_description: out.error_description,
      client: await clientOf(ports, request),
      uiLocales: textOf(request.oidc.params?.['ui_locales']),
      acceptLanguage: request.req.headers['accept-language'],
    })
    for (const [name, value] of Object.entries(headers)) request.set(name, value)
    request.body = html
  }

/**
 * The engine stores the session after it has made the response; a failure of the store at that time gives the page, too.
 * No response is sent before what it contains is stored, whatever the engine issued last (docs/decisions/0154).
 */
export const answerLateFailures = (provider: Provider, ports: ErrorPagePorts): void => {
  const render = renderError(ports)
  provider.use(async (request: KoaContextWithOIDC, next) => {
    try {
      await next()
      if (request.status < 400) await allStored(request)
    } catch (cause) {
      if (!(cause instanceof TemporarilyUnavailable)) throw cause
      provider.emit('authorization.error', request, cause)
      request.status = cause.statusCode
      request.remove('Location')
      // RFC 9110 §10.2.3
      request.set('Retry-After', '1')
      await render(request, { error: cause.message, error_description: cause.error_description })
    }
  })
}
