// draft-ietf-oauth-client-id-metadata-document-02 §8.9 (-00 §6.8): the URLs that the operator trusts.
import type { ClientIdUrl } from '../client/client-id-url.js'
import { uriParts } from '../client/uri.js'
import type { DocumentPolicy } from '../policy/document-policy.js'

type HostList = 'allowed_hosts' | 'denied_hosts'
type PrefixList = 'allowed_url_prefixes' | 'denied_url_prefixes'

/** What decides about a URL: `accept` itself, or an entry of a list. */
export type UrlAcceptance = {
  readonly accepted: boolean
  readonly part: 'accept' | HostList | PrefixList
  readonly entry: string
}

const isHost = (host: string, each: string): boolean =>
  each.startsWith('*.') ? host.endsWith(each.slice(1)) : host === each

// Some servers find a file by its name in capital letters too: another spelling is denied, and never allowed.
const hasPrefix = (list: PrefixList, url: string, prefix: string): boolean =>
  list === 'denied_url_prefixes' ? url.toLowerCase().startsWith(prefix.toLowerCase()) : url.startsWith(prefix)

const entryOf = (
  policy: DocumentPolicy,
  url: ClientIdUrl,
  hosts: HostList,
  prefixes: PrefixList,
): Omit<UrlAcceptance, 'accepted'> | undefined => {
  const { host } = uriParts(url)
  const named = policy[hosts].find((each) => isHost(host, each))
  if (named !== undefined) return { part: hosts, entry: named }
  const prefix = policy[prefixes].find((each) => hasPrefix(prefixes, url, each))
  return prefix === undefined ? undefined : { part: prefixes, entry: prefix }
}

/** Whether the policy accepts a document at the URL, and by which part. A denied one is never accepted. */
export const urlAcceptance = (policy: DocumentPolicy, url: ClientIdUrl): UrlAcceptance => {
  const byAccept = { part: 'accept', entry: policy.accept } as const
  if (policy.accept === 'none') return { accepted: false, ...byAccept }
  const denied = entryOf(policy, url, 'denied_hosts', 'denied_url_prefixes')
  if (denied !== undefined) return { accepted: false, ...denied }
  if (policy.accept === 'any') return { accepted: true, ...byAccept }
  const allowed = entryOf(policy, url, 'allowed_hosts', 'allowed_url_prefixes')
  return allowed === undefined ? { accepted: false, ...byAccept } : { accepted: true, ...allowed }
}

/** Whether the policy accepts a document at the URL. */
export const acceptsUrl = (policy: DocumentPolicy, url: ClientIdUrl): boolean => urlAcceptance(policy, url).accepted
