// draft-ietf-oauth-client-id-metadata-document-02 §8.9 (-00 §6.8): the URLs that the operator trusts.
import type { ClientIdUrl } from '../client/client-id-url.js'
import { uriParts } from '../client/uri.js'
import type { DocumentPolicy } from '../policy/document-policy.js'

const isNamed = (url: ClientIdUrl, hosts: ReadonlyArray<string>, prefixes: ReadonlyArray<string>): boolean => {
  const { host } = uriParts(url)
  return (
    hosts.some((each) => (each.startsWith('*.') ? host.endsWith(each.slice(1)) : host === each)) ||
    prefixes.some((each) => url.startsWith(each))
  )
}

/** Whether the policy accepts a document at the URL. A denied one is never accepted. */
export const acceptsUrl = (policy: DocumentPolicy, url: ClientIdUrl): boolean => {
  if (policy.accept === 'none' || isNamed(url, policy.denied_hosts, policy.denied_url_prefixes)) return false
  return policy.accept === 'any' || isNamed(url, policy.allowed_hosts, policy.allowed_url_prefixes)
}
