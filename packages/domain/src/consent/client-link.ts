// The link from a page of errors to an application. RFC 9700 §4.11.2: the authorization server must not send browsers to
// places that a registrant chose.
import { isLoopback, uriParts } from '../client/uri.js'
import type { RegisteredClient } from '../registration/registered-client.js'

/**
 * The home page of the application, where it is on https and at a host that also receives its answers. A client of open
 * registration has none, because its hosts are no more certain than its name.
 */
export const clientLink = ({ metadata, registered_by }: RegisteredClient): string | undefined => {
  const { client_uri, redirect_uris = [] } = metadata
  if (client_uri === undefined || registered_by === 'nobody') return undefined
  const { scheme, host } = uriParts(client_uri)
  const isOwn = redirect_uris.some((uri) => uriParts(uri).scheme === 'https' && uriParts(uri).host === host)
  return scheme === 'https' && !isLoopback(host) && isOwn ? client_uri : undefined
}
