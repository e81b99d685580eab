// The base URL of the service in place of what a request says: RFC 9110 §7.4, docs/decisions/0101.
import type { Provider } from 'oidc-provider'

type Host = { readonly protocol: string; readonly host: string }

const getters = ({ protocol, host }: Host): PropertyDescriptorMap => ({
  protocol: { get: () => protocol.slice(0, -1), configurable: true },
  host: { get: () => host, configurable: true },
  hostname: { get: () => host.replace(/:\d+$/, ''), configurable: true },
  secure: { get: () => protocol === 'https:', configurable: true },
})

/** Every URL of the engine, and the Secure attribute of its cookies, follow from the base URL. */
export const pinBaseUrl = (provider: Provider, issuer: string): void => {
  Object.defineProperties(provider.request, getters(new URL(issuer)))
  Object.assign(provider.OIDCContext.prototype, {
    urlFor: (name: string, options?: Readonly<Record<string, unknown>>): string => provider.urlFor(name, options),
  })
}
