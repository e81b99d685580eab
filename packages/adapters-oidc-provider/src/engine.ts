// The engine behind the door of the provider: docs/decisions/engine.md.
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { Provider } from 'oidc-provider'
import { endpoints, routeOf } from './abilities.js'
import { useBesideJwts } from './adapter.js'
import {
  completeAnswers,
  holdRedirects,
  recordUses,
  redirectPosted,
  refuseMethod,
  reportOf,
  watchRefusals,
} from './answers.js'
import { configurationOf } from './configuration.js'
import { hashOnce } from './context.js'
import { replaceClients } from './find-client.js'
import { createInteractions } from './interactions.js'
import type { Engine, EnginePorts, EngineSettings } from './ports.js'
import { replaceReplayDetection } from './replays.js'
import { bindToSessions, findLogoutElsewhere, keepClientsApart } from './sessions.js'
import { boundTokens, replaceIdTokens } from './tokens.js'

/**
 * The base URL of the service in place of what a request says (RFC 9110 §7.4): every URL of the engine, and the Secure
 * attribute of its cookies, follow from it.
 */
const pinBaseUrl = (provider: Provider, { protocol, host, hostname }: URL): void => {
  Object.defineProperties(provider.request, {
    protocol: { get: () => protocol.slice(0, -1), configurable: true },
    host: { get: () => host, configurable: true },
    hostname: { get: () => hostname, configurable: true },
    secure: { get: () => protocol === 'https:', configurable: true },
  })
  Object.assign(provider.OIDCContext.prototype, {
    urlFor: (name: string, options?: Readonly<Record<string, unknown>>): string => provider.urlFor(name, options),
  })
}

/** The engine on these settings and ports; nothing outside of them is read or written. */
export const createEngine = (settings: EngineSettings, given: EnginePorts): Engine => {
  const ports = { ...given, hashToken: hashOnce(given.hashToken) }
  const provider = new Provider(settings.issuer, configurationOf(settings, ports))
  const { issuer } = settings
  const url = new URL(issuer)
  const base = url.pathname.replace(/\/$/, '')
  pinBaseUrl(provider, url)
  replaceClients(provider, settings, ports)
  keepClientsApart(provider, ports)
  bindToSessions(provider)
  boundTokens(provider, settings, ports)
  useBesideJwts(provider, ports)
  replaceIdTokens(provider, ports)
  replaceReplayDetection(provider, ports)
  watchRefusals(provider)
  holdRedirects(provider)
  recordUses(provider, ports)
  completeAnswers(provider, ports)
  const callback = provider.callback()
  return {
    routeOf: (path) => {
      const found = path.startsWith(`${base}/`) ? routeOf(path.slice(base.length)) : undefined
      return found === undefined ? undefined : `${base}${found}`
    },
    answer: async (request, response) => {
      // The engine routes by the path below the base URL.
      const path = (request.url ?? '/').slice(base.length)
      request.url = path
      if (request.method === 'POST' && path.split('?')[0] === endpoints.authorization) {
        await redirectPosted(issuer, ports, request, response)
        return {}
      }
      if (refuseMethod(request, response)) return { refusal: { error: 'method_not_allowed' } }
      // RFC 6749 §5.1; CSP3 §6.1: a page of the engine loads nothing, stands in no frame, and runs only the script whose
      // hash the engine adds.
      response.setHeader('Pragma', 'no-cache')
      response.setHeader(
        'Content-Security-Policy',
        "default-src 'none';base-uri 'none';frame-ancestors 'none';script-src",
      )
      await callback(request, response)
      return reportOf(request, response.statusCode)
    },
    interactions: createInteractions({ provider, ports }),
    claims: {
      findEndUserClaims: (sub) =>
        pipe(ports.findArtefact('account', ports.hashToken(sub)), TE.map(O.map(({ payload }) => payload))),
    },
    findLogoutElsewhere: findLogoutElsewhere(ports),
  }
}
