// RFC 9700 §4.11.2: the authorization server does not lead a browser to a URI that it does not trust.
import { matchRedirectUri, registrationOfKnown } from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import type { EventEmitter } from 'node:events'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { type EngineClient, isUnapproved, knownOf } from './find-client.js'

// An end-user who answered a page may be led back. A resumption that found no interaction has no parameters, and no end-user answered.
const isUnanswered = ({ route, params }: KoaContextWithOIDC['oidc']): boolean =>
  route === 'authorization' || (route === 'resume' && params === undefined)

const isApprovedUri = (client: EngineClient, requested: unknown): boolean => {
  const approved = registrationOfKnown(knownOf(client))
  return (
    approved !== undefined && typeof requested === 'string' && O.isSome(matchRedirectUri(approved.metadata, requested))
  )
}

// Any visitor can name a document with any URI.
const isUntrusted = (request: KoaContextWithOIDC['oidc']): boolean => {
  const { client, params } = request
  if (client === undefined || !isUnapproved(client) || !isUnanswered(request)) return false
  return !isApprovedUri(client, params?.['redirect_uri'])
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
