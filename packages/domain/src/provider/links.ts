// Links from pages of this service to where an application says. RFC 9700 §4.11.2: the authorization server must not send
// browsers to places that a registrant chose; whoever follows a link sees its host, and knows whose it is.
import { clientIdUrl } from '../client/ids.js'
import { isLoopback, uriParts } from '../client/uris.js'
import { ownMember } from '../kernel/json-object.js'
import { withdrawalOf } from '../life-cycle/states.js'
import { memberIn } from '../logout/confirm.js'
import type { DocumentPolicy } from '../policy/policy.js'
import type { RegisteredClient } from '../registration/registered-client.js'
import { type ConsentPolicy, type Linked, vouchesFor } from './consent.js'
import { isListedUrl } from './documents.js'

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

/** A link with the host to which it leads. */
export type ShownLink = { readonly uri: string; readonly host: string }

const linkTo = (policy: ConsentPolicy, request: Linked, member: string): ShownLink | undefined => {
  const uri: unknown = ownMember({ ...request.client.metadata }, member)
  if (typeof uri !== 'string' || !(policy.showsUnvouched || vouchesFor(request, member))) return undefined
  const { scheme, authority = '', host } = uriParts(uri)
  return scheme === 'https' && !isLoopback(host) ? { uri, host: authority.toLowerCase() } : undefined
}

export type ConsentLinks = { readonly policy: ShownLink | undefined; readonly terms: ShownLink | undefined }

/** OpenID Registration §2: the OP should display these to the end-user. RFC 7591 §2.2: in the language of the page. */
export const linksForConsent =
  (policy: ConsentPolicy) =>
  (language: string, request: Linked): ConsentLinks => ({
    policy: linkTo(policy, request, memberIn(language, request.client, 'policy_uri')),
    terms: linkTo(policy, request, memberIn(language, request.client, 'tos_uri')),
  })

/**
 * RFC 7591 §2: the picture of the application for the page, in its language. A link shows the host to which it leads, and a
 * picture shows none: the host of a document vouches for a picture only where the operator names that host.
 */
export const logoUri = (
  policy: ConsentPolicy,
  documents: DocumentPolicy,
  language: string,
  request: Linked,
): string | undefined => {
  const id = clientIdUrl(request.client.client_id)
  const isOfStranger = id.kind === 'url' && !isListedUrl(documents, id.url)
  return isOfStranger && !policy.showsUnvouched
    ? undefined
    : linkTo(policy, request, memberIn(language, request.client, 'logo_uri'))?.uri
}

/** OpenID Core §4: where the end-user begins a login at the application, which then comes back to this issuer. */
export const initiatedLogin =
  (policy: ConsentPolicy, issuer: string) =>
  (client: RegisteredClient): ShownLink | undefined => {
    const redirectUri = client.metadata.redirect_uris?.[0] ?? ''
    const link = linkTo(policy, { client, redirectUri }, 'initiate_login_uri')
    if (link === undefined || withdrawalOf(client) !== undefined) return undefined
    const separator = link.uri.includes('?') ? '&' : '?'
    return { ...link, uri: `${link.uri}${separator}iss=${encodeURIComponent(issuer)}` }
  }
