// The hosts that receive the answers of the authorization server.
import { isLoopback, isWebScheme, uriParts } from '../client/uri.js'
import type { ConsentRequest, ConsentWarning, RedirectHost } from './consent-facts.js'

const redirectHost = (uri: string): RedirectHost => {
  const { scheme, authority = '', host } = uriParts(uri)
  if (!isWebScheme(scheme)) return { kind: 'private_use', host: `${scheme}:` }
  // RFC 8252 §7.3: an application takes any port that is free.
  return isLoopback(host) ? { kind: 'loopback', host } : { kind: 'web', host: authority.toLowerCase() }
}

/** The host of this request first, then those of the registered URIs, each once. */
export const redirectHostsOf = ({ client, redirectUri }: ConsentRequest): ReadonlyArray<RedirectHost> => {
  const all = [redirectUri, ...(client.metadata.redirect_uris ?? [])].map(redirectHost)
  return all.filter(({ host }, place) => all.findIndex((each) => each.host === host) === place)
}

/** RFC 8252 §8.1 and §8.3: addresses of the device, which another application there may have. */
export const redirectWarnings = (hosts: ReadonlyArray<RedirectHost>): ReadonlyArray<ConsentWarning> => [
  ...(hosts.every(({ kind }) => kind === 'loopback') ? [{ kind: 'loopback_only' as const }] : []),
  ...hosts
    .slice(0, 1)
    .flatMap(({ kind, host }) =>
      kind === 'private_use' ? [{ kind: 'private_use_scheme' as const, scheme: host }] : [],
    ),
]
