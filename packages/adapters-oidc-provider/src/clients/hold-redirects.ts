// RFC 9700 §4.11.2: the authorization server does not lead a browser to a URI that it does not trust.
import { matchRedirectUri, registrationOfKnown } from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import type { EventEmitter } from 'node:events'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { isUnapproved, knownOf } from './find-client.js'

// Any visitor can name a document with any URI. An end-user who answered a page may be led back to it.
const isUntrusted = ({ client, route, params }: KoaContextWithOIDC['oidc']): boolean => {
  if (client === undefined || !isUnapproved(client)) return false
  // A resumption that found no interaction has no parameters: no end-user has answered.
  if (route !== 'authorization' && !(route === 'resume' && params === undefined)) return false
  const { metadata } = registrationOfKnown(knownOf(client)) ?? {}
  const requested = params?.['redirect_uri']
  return metadata === undefined || typeof requested !== 'string' || O.isNone(matchRedirectUri(metadata, requested))
}

/** The service may fail before the engine knows the request. */
type FailedRequest = Pick<KoaContextWithOIDC, 'status'> & Partial<Pick<KoaContextWithOIDC, 'oidc'>>

/** An error of a request by a document that no end-user has approved is shown on a page, also one of the service itself. */
export const holdRedirects = (provider: Provider): void => {
  const emitter: EventEmitter = provider
  const hold = (request: FailedRequest, cause: Error): void => {
    if (request.oidc === undefined || !isUntrusted(request.oidc)) return
    Object.assign(cause, { allow_redirect: false })
    // For some errors, the engine has prepared the status of a redirect.
    if (request.status < 400) request.status = 400
  }
  for (const event of ['authorization.error', 'server_error']) emitter.on(event, hold)
}
