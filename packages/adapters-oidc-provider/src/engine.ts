// The engine behind the door of the provider: docs/decisions/0101.
import type { EndUserClaims, Interactions } from '@clientele/domain/ports'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Provider } from 'oidc-provider'
import { createClaims } from './accounts.js'
import { recordUses } from './clients/record-uses.js'
import { countFailures } from './budgets.js'
import { pinBaseUrl } from './base-url.js'
import { replaceClients } from './clients/find-client.js'
import { holdRedirects } from './clients/hold-redirects.js'
import { hashOnce } from './context.js'
import { configurationOf } from './configuration.js'
import { replaceIdTokens } from './id-tokens.js'
import { createInteractions } from './interactions/interactions.js'
import { type EngineReport, reportOf } from './engine-refusal.js'
import { answerLateFailures } from './error-page.js'
import type { EnginePorts, EngineSettings } from './ports.js'
import { isPosted, redirectPosted } from './posted-requests.js'
import { replaceReplayDetection } from './replays.js'
import { preparePushed, prepareRequest } from './requests.js'
import { answerTooLarge } from './too-large.js'
import { answerRevocations, refuseMethod, setHeaders } from './responses.js'
import { routeOf } from './routes.js'
import { type FindLogoutElsewhere, findLogoutElsewhere } from './sessions/logout-elsewhere.js'
import { boundTokens } from './scopes.js'
import { keepClientsApart } from './sessions/session-of.js'
import { watchClients } from './watch-clients.js'
import { watchRefusals } from './watch-refusals.js'

export type Engine = {
  /** The pattern of the route with this path, which includes that of the base URL; undefined for paths of others. */
  readonly routeOf: (path: string) => string | undefined
  /** Answers a request on such a route. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<EngineReport>
  readonly interactions: Interactions
  readonly claims: EndUserClaims
  readonly findLogoutElsewhere: FindLogoutElsewhere
}

const pathBelow = (base: string, path: string): string | undefined =>
  path.startsWith(`${base}/`) ? path.slice(base.length) : undefined

const basePathOf = (issuer: string): string => new URL(issuer).pathname.replace(/\/$/, '')

/** The engine on these settings and ports; nothing outside of them is read or written. */
export const createEngine = (settings: EngineSettings, given: EnginePorts): Engine => {
  const ports = { ...given, hashToken: hashOnce(given.hashToken) }
  const provider = new Provider(settings.issuer, configurationOf(settings, ports))
  const { signingAlgorithms: algorithms, issuer } = settings
  const base = basePathOf(issuer)
  pinBaseUrl(provider, issuer)
  replaceClients({
    provider,
    algorithms,
    ports,
    beforeJudgement: () => prepareRequest(ports),
    whenAuthenticated: (client) => preparePushed(ports, client),
  })
  keepClientsApart(provider)
  boundTokens(provider, settings)
  replaceIdTokens(provider, ports)
  replaceReplayDetection(provider, ports)
  const refusalOf = watchRefusals(provider)
  const clientOf = watchClients(provider)
  holdRedirects(provider)
  answerRevocations(provider)
  answerLateFailures(provider, ports)
  recordUses(provider, ports)
  answerTooLarge(provider, ports)
  countFailures(provider, ports)
  const callback = provider.callback()
  return {
    routeOf: (path) => {
      const below = pathBelow(base, path)
      const found = below === undefined ? undefined : routeOf(below)
      return found === undefined ? undefined : `${base}${found}`
    },
    answer: async (request, response) => {
      // The engine routes by the path below the base URL.
      request.url = (request.url ?? '/').slice(base.length)
      if (isPosted(request)) {
        await redirectPosted(issuer, ports, request, response)
        return {}
      }
      if (refuseMethod(request, response)) return { refusal: { error: 'method_not_allowed' } }
      setHeaders(response)
      await callback(request, response)
      return reportOf(refusalOf(request), clientOf(request), response.statusCode)
    },
    interactions: createInteractions({ provider, ports }),
    claims: createClaims(ports),
    findLogoutElsewhere: findLogoutElsewhere(ports),
  }
}
