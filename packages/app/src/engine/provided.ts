// The interface for a provider, and the authorization server on it, at a base URL.
import type { Listener, ListenerPorts } from '@clientele/adapters-http'
import { type KeyRotationScheduler, createObjectDecrypter, createTokenSigner } from '@clientele/adapters-jose'
import type { Engine } from '@clientele/adapters-oidc-provider'
import type { Config } from '../config/settings.js'
import type { OpenedData } from '../data/open-data.js'
import type { Draining } from '../http-ports.js'
import { keySettings } from '../keys/key-settings.js'
import type { Log } from '../observing/log.js'
import { type Provider, createProvider } from '../provider/provider.js'
import { logoutSettings } from '../wiring/http-settings.js'
import { withEngine } from './engine-listener.js'
import type { EngineAt } from './open-engine.js'

export type ProvidedOptions = {
  readonly config: Config
  readonly data: OpenedData
  readonly rotation: KeyRotationScheduler
  readonly ports: ListenerPorts
  readonly log: Log
  readonly draining: Draining
  readonly engineAt: EngineAt | undefined
}

type Provided = { readonly provider: Provider; readonly engine: Engine | undefined }

export type Providing = {
  readonly providerAt: (issuer: string) => Provider
  /** The listener with the routes of the authorization server in front of it, if there is one. */
  readonly inFront: (issuer: string, listener: Listener) => Listener
}

const provide = (options: ProvidedOptions, issuer: string): Provided => {
  const { config, data, rotation, ports, log, draining, engineAt } = options
  const { signToken } = createTokenSigner(
    { issuer, policy: keySettings(config).policy },
    { ...rotation, now: data.generator.now },
  )
  const { decryptObject } = createObjectDecrypter(rotation)
  const keys = { signToken, decryptObject }
  const logout = logoutSettings(config, issuer)
  const provider = createProvider({ data, ports: ports.sessions, logout, keys, log, draining })
  const engine = engineAt?.(issuer, provider)
  return { provider: engine === undefined ? provider : { ...provider, interactions: engine.interactions }, engine }
}

/** One of each for a base URL, which is known when the service listens. */
export const providing = (options: ProvidedOptions): Providing => {
  const known = new Map<string, Provided>()
  const at = (issuer: string): Provided => {
    const provided = known.get(issuer) ?? provide(options, issuer)
    known.set(issuer, provided)
    return provided
  }
  return {
    providerAt: (issuer) => at(issuer).provider,
    inFront: (issuer, listener) => {
      const { engine } = at(issuer)
      return engine === undefined ? listener : withEngine(engine, listener, options.ports)
    },
  }
}
