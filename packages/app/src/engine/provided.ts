// The interface for a provider, the authorization server on it, and the pages of login and consent, at a base URL.
import type { Listener, ListenerPorts } from '@clientele/adapters-http'
import { type KeyRotationScheduler, createObjectDecrypter, createTokenSigner } from '@clientele/adapters-jose'
import { type HostLogin, logoutElsewhereUrl } from '@clientele/adapters-login'
import type { Engine } from '@clientele/adapters-oidc-provider'
import type { OutboundOptions } from '@clientele/adapters-outbound'
import type { EndUserLogin, LogoutElsewherePorts } from '@clientele/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Config } from '../config/settings.js'
import type { OpenedData } from '../data/open-data.js'
import type { Draining } from '../http-ports.js'
import { keySettings } from '../keys/key-settings.js'
import { createLogin } from '../login/create-login.js'
import type { Log } from '../observing/log.js'
import { type Provider, createProvider } from '../provider/provider.js'
import { logoutSettings } from '../wiring/http-settings.js'
import { consentPolicy } from '../wiring/page-settings.js'
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
  readonly outbound: Partial<OutboundOptions> | undefined
  /** The login of the host, in place of the setting. */
  readonly host: HostLogin | undefined
}

export type Provided = {
  readonly provider: Provider
  readonly engine: Engine | undefined
  readonly login: EndUserLogin | undefined
}

export type Providing = {
  readonly providedAt: (issuer: string) => Provided
  /** The listener that is made of the ports, with the routes of the authorization server in front of it. */
  readonly listenerAt: (issuer: string, create: (ports: ListenerPorts) => Listener) => Listener
}

const provide = (options: ProvidedOptions, issuer: string): Provided => {
  const { config, data, rotation, ports, engineAt } = options
  const { signToken } = createTokenSigner(
    { issuer, policy: keySettings(config).policy },
    { ...rotation, now: data.generator.now },
  )
  const { decryptObject } = createObjectDecrypter(rotation)
  const keys = { signToken, decryptObject }
  const provider = createProvider({ ...options, ports: ports.service, logout: logoutSettings(config, issuer), keys })
  const engine = engineAt?.(issuer, provider, ports)
  return {
    provider: engine === undefined ? provider : { ...provider, interactions: engine.interactions },
    engine,
    login: createLogin({ ...options, issuer, signToken }),
  }
}

type EndUserPorts = Partial<Pick<ListenerPorts, 'service' | 'signIn'>>

// RP-Initiated Logout §2: the other provider leads back to the logout page here, and to nowhere else.
const logoutElsewherePorts = ({ config }: ProvidedOptions, issuer: string, engine: Engine): LogoutElsewherePorts => ({
  findLogoutElsewhere: (sid) =>
    pipe(
      engine.findLogoutElsewhere(sid),
      TE.map(O.flatMap((known) => O.fromNullable(logoutElsewhereUrl(known, `${issuer}${config['logout-path']}`)))),
    ),
})

/** Pages that end-users meet only where there is an authorization server, and their names on the others. */
const endUserPorts = (options: ProvidedOptions, issuer: string, { engine, login }: Provided): EndUserPorts => {
  if (engine === undefined) return {}
  const { config, data, ports } = options
  const service = { ...ports.service, ...engine.claims, ...logoutElsewherePorts(options, issuer, engine) }
  if (login === undefined) return { service }
  const { artefacts, consents } = data.store
  const consenting = { ...artefacts, ...consents, ...engine.interactions, login, consentPolicy: consentPolicy(config) }
  return { service, signIn: { ...service, ...consenting } }
}

/** One of each for a base URL, which is known when the service listens. */
export const providing = (options: ProvidedOptions): Providing => {
  const known = new Map<string, Provided>()
  const providedAt = (issuer: string): Provided => {
    const provided = known.get(issuer) ?? provide(options, issuer)
    known.set(issuer, provided)
    return provided
  }
  return {
    providedAt,
    listenerAt: (issuer, create) => {
      const provided = providedAt(issuer)
      const listener = create({ ...options.ports, ...endUserPorts(options, issuer, provided) })
      return provided.engine === undefined ? listener : withEngine(provided.engine, listener, options.ports)
    },
  }
}
