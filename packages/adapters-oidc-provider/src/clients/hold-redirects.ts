// RFC 9700 §4.11.2: the authorization server does not lead a browser to a URI that it does not trust.
import { matchRedirectUri } from '@clientele/domain/client'
import { isOpenClient } from '@clientele/domain/life-cycle'
import { registrationOfKnown } from '@clientele/domain/provider'
import * as O from 'fp-ts/lib/Option.js'
import type { EventEmitter } from 'node:events'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { type EngineClient, isUnapproved, knownOf, registeredOf } from './find-client.js'

// An end-user who answered a page may be led back. A resumption that found no interaction has no parameters, and no end-user answered.
const isUnanswered = ({ route, params }: KoaContextWithOIDC['oidc']): boolean =>
  route === 'authorization' || (route === 'resume' && params === undefined)

const isApprovedUri = (client: EngineClient, requested: unknown): boolean => {
  const approved = registrationOfKnown(knownOf(client))
  return (
    approved !== undefined && typeof requested === 'string' && O.isSome(matchRedirectUri(approved.metadata, requested))
  )
}

// The end-user of this browser has consented to the client.
const hasConsent = ({ session }: KoaContextWithOIDC['oidc'], { clientId }: EngineClient): boolean =>
  session?.authorizations?.[clientId]?.grantId !== undefined

// Any visitor can name a document with any URI, and register a client with any where registration is open. RFC 9700 §4.11.2
// excepts silent authentication, which shows no page.
const isUntrusted = (request: KoaContextWithOIDC['oidc']): boolean => {
  const { client, params } = request
  if (client === undefined || !isUnanswered(request)) return false
  if (isUnapproved(client)) return !isApprovedUri(client, params?.['redirect_uri'])
  return isOpenClient(registeredOf(client)) && params?.['prompt'] !== 'none' && !hasConsent(request, client)
}

/** The service may fail before the engine knows the request. */
type FailedRequest = Pick<KoaContextWithOIDC, 'status'> & Partial<Pick<KoaContextWithOIDC, 'oidc'>>

/**
 * An error of a request by a document that no end-user has approved, or by a client of open registration to which this
 * end-user has not consented, is shown on a page, also one of the service itself.
 */
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
