// RFC 9700 §4.11.2: the authorization server does not lead a browser to a URI that it does not trust.
import { matchRedirectUri, registrationOfKnown } from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import type { EventEmitter } from 'node:events'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { isUnapproved, knownOf } from './find-client.js'

// Any visitor can name a document with any URI. An end-user who answered a page may be led back to it.
const isUntrusted = ({ client, route, params }: KoaContextWithOIDC['oidc']): boolean => {
  if (client === undefined || route !== 'authorization' || !isUnapproved(client)) return false
  const { metadata } = registrationOfKnown(knownOf(client)) ?? {}
  const requested = params?.['redirect_uri']
  return metadata === undefined || typeof requested !== 'string' || O.isNone(matchRedirectUri(metadata, requested))
}

/** An error of a request by a document that no end-user has approved is shown on a page. */
export const holdRedirects = (provider: Provider): void => {
  const emitter: EventEmitter = provider
  emitter.on('authorization.error', (request: KoaContextWithOIDC, cause: Error) => {
    if (!isUntrusted(request.oidc)) return
    Object.assign(cause, { allow_redirect: false })
    // The engine prepared the status of a redirect.
    request.status = 400
  })
}
