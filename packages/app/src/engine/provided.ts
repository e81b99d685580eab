// The interface for a provider, the authorization server on it, and the pages of login and consent, at a base URL.
import type { ListenerPorts } from '@clientele/adapters-http'
import { createObjectDecrypter, createTokenSigner } from '@clientele/adapters-jose'
import { type HostLogin, logoutElsewhereUrl } from '@clientele/adapters-login'
import type { Engine, EngineMaker } from '@clientele/adapters-oidc-provider'
import type { EndUserLogin, LogoutElsewherePorts } from '@clientele/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Draining } from '../http-ports.js'
import { keySettings } from '../config/keys.js'
import { createLogin } from '../login/create-login.js'
import { type Provider, createProvider } from '../provider/provider.js'
import { logoutSettings } from '../config/logout.js'
import { consentPolicy } from '../config/pages.js'
import { type EngineOptions, makeEngine } from './open-engine.js'

export type ProvidedOptions = Omit<EngineOptions, 'provider' | 'ports'> & {
  readonly ports: ListenerPorts
  readonly draining: Draining
  /** Undefined where there is no authorization server. */
  readonly engineMaker: EngineMaker | undefined
  /** The login of the host, in place of the setting. */
  readonly host: HostLogin | undefined
}

export type Provided = {
  readonly provider: Provider
  readonly engine: Engine | undefined
  readonly login: EndUserLogin | undefined
  /** The ports of the routes for clients, with those of the pages that end-users meet. */
  readonly ports: ListenerPorts
}

// RP-Initiated Logout §2: the other provider leads back to the logout page here, and to nowhere else.
const logoutElsewherePorts = ({ config, issuer }: ProvidedOptions, engine: Engine): LogoutElsewherePorts => ({
  findLogoutElsewhere: (sid) =>
    pipe(
      engine.findLogoutElsewhere(sid),
      TE.map(O.flatMap((known) => O.fromNullable(logoutElsewhereUrl(known, `${issuer}${config['logout-path']}`)))),
    ),
})

/** Pages that end-users meet only where there is an authorization server, and their names on the others. */
const withEndUsers = (options: ProvidedOptions, engine: Engine, login: EndUserLogin | undefined): ListenerPorts => {
  const { config, data, ports } = options
  const service = { ...ports.service, ...engine.claims, ...logoutElsewherePorts(options, engine) }
  if (login === undefined) return { ...ports, service }
  const { artefacts, consents } = data.store
  const consenting = { ...artefacts, ...consents, ...engine.interactions, login, consentPolicy: consentPolicy(config) }
  return { ...ports, service, signIn: { ...service, ...consenting } }
}

export const provide = (options: ProvidedOptions): Provided => {
  const { config, data, rotation, ports, issuer, engineMaker } = options
  const { signToken } = createTokenSigner(
    { issuer, policy: keySettings(config).policy },
    { ...rotation, now: data.generator.now },
  )
  const { decryptObject } = createObjectDecrypter(rotation)
  const keys = { signToken, decryptObject }
  const provider = createProvider({ ...options, ports: ports.service, logout: logoutSettings(config, issuer), keys })
  const login = createLogin({ ...options, issuer, signToken })
  if (engineMaker === undefined) return { provider, engine: undefined, login, ports }
  const engine = makeEngine(engineMaker, { ...options, provider })
  return {
    provider: { ...provider, interactions: engine.interactions },
    engine,
    login,
    ports: withEndUsers(options, engine, login),
  }
}
