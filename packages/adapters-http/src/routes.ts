import { deleteClient } from './clients/delete-client.js'
import { getClient } from './clients/get-client.js'
import { getClients } from './clients/get-clients.js'
import { postJudgement } from './clients/post-judgement.js'
import { postRenewal } from './clients/post-renewal.js'
import { postClients } from './clients/post-clients.js'
import { putClient } from './clients/put-client.js'
import { deleteToken, getTokens } from './direct-authz/manage-tokens.js'
import { postDirectAuthz } from './direct-authz/post-direct-authz.js'
import { getDocument } from './documents/get-document.js'
import { getLive } from './health/get-live.js'
import { getReady } from './health/get-ready.js'
import type { Handler } from './http/handler.js'
import { forMaster } from './http/for-master.js'
import { getJwks } from './keys/get-jwks.js'
import {
  getKeys,
  postCompromise,
  postForeign,
  postImport,
  postRemoveForeign,
  postRollOver,
} from './keys/manage-keys.js'
import { postDecrypt, postSign } from './keys/use-keys.js'
import { getLogouts, postRetry } from './logouts/manage-logouts.js'
import { getOrPostLogout } from './logout/request-logout.js'
import { getConfirm, postConfirm } from './logout/post-confirm.js'
import { getProviderMetadata } from './metadata/get-provider-metadata.js'
import {
  deleteSession,
  getSessions,
  postFindSession,
  postSessionClients,
  postSessions,
} from './sessions/manage-sessions.js'
import type { HttpPorts, HttpSettings } from './settings.js'

export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly handler: Handler
  /** Whose pages may read the answer. */
  readonly origins: 'none' | 'listed' | 'any'
  /** What its body is, where it has one; a form that cannot be read still gets a page. */
  readonly takes: 'json' | 'form'
  /** Whether answers on this path may be stored; where not, none is, a refusal by the transport included. */
  readonly stored: boolean
}

const route =
  (origins: Route['origins'], stored: boolean) =>
  (method: Route['method'], path: string, handler: Handler): Route => ({
    method,
    path,
    handler,
    origins,
    stored,
    takes: 'json',
  })

/** A path that is no pattern, although the router would read some of its signs as one. */
export const literally = (path: string): string => path.replace(/[\\{}()[\]+?!:*]/g, '\\$&')

const baseOf = ({ basePath }: HttpSettings): string => literally(basePath)

const registration = route('listed', false)
const management = route('none', false)
const publication = route('any', true)
const document = route('none', true)

// RFC 8414 §3.1: the well-known part is inserted before the path of the issuer, and §5: for openid-configuration as well;
// OpenID Discovery §4 appends it
const metadataPaths = (base: string): ReadonlyArray<string> => [
  ...new Set([
    `${base}/.well-known/openid-configuration`,
    `${base}/.well-known/oauth-authorization-server`,
    `/.well-known/oauth-authorization-server${base}`,
    `/.well-known/openid-configuration${base}`,
  ]),
]

const keyRoutes = (settings: HttpSettings, ports: HttpPorts): ReadonlyArray<Route> => [
  management('GET', `${baseOf(settings)}/keys`, getKeys(settings, ports)),
  management('POST', `${baseOf(settings)}/keys/roll-over`, postRollOver(settings, ports)),
  management('POST', `${baseOf(settings)}/keys/compromise`, postCompromise(settings, ports)),
  management('POST', `${baseOf(settings)}/keys/import`, postImport(settings, ports)),
  management('POST', `${baseOf(settings)}/keys/foreign`, postForeign(settings, ports)),
  management('POST', `${baseOf(settings)}/keys/foreign/remove`, postRemoveForeign(settings, ports)),
  management('POST', `${baseOf(settings)}/keys/sign`, postSign(settings, ports)),
  management('POST', `${baseOf(settings)}/keys/decrypt`, postDecrypt(settings, ports)),
]

const sealingRoutes = (settings: HttpSettings, ports: HttpPorts): ReadonlyArray<Route> => {
  const { sealAnew } = ports
  if (sealAnew === undefined) return []
  return [
    management(
      'POST',
      `${baseOf(settings)}/encryption/re-seal`,
      forMaster(settings, ports, () => sealAnew),
    ),
  ]
}

const noticeRoutes = (settings: HttpSettings, ports: HttpPorts): ReadonlyArray<Route> => [
  management('GET', `${baseOf(settings)}/logouts`, getLogouts(settings, ports)),
  management('POST', `${baseOf(settings)}/logouts/retry`, postRetry(settings, ports)),
]

// The end-user's browser comes here, by links and forms of other sites too; no script may read what it gets.
const logoutRoutes = (settings: HttpSettings, ports: HttpPorts): ReadonlyArray<Route> => {
  if (settings.logout.path === undefined) return []
  const [path, ask] = [`${baseOf(settings)}${literally(settings.logout.path)}`, getOrPostLogout(settings, ports)]
  return [
    management('GET', path, ask),
    { ...management('POST', path, ask), takes: 'form' },
    management('GET', `${path}/confirm`, getConfirm(ports)),
    { ...management('POST', `${path}/confirm`, postConfirm(settings, ports)), takes: 'form' },
  ]
}

// For the login system beside the service, which needs the master token.
const sessionRoutes = (settings: HttpSettings, ports: HttpPorts): ReadonlyArray<Route> => [
  management('POST', `${baseOf(settings)}/sessions`, postSessions(settings, ports)),
  management('GET', `${baseOf(settings)}/sessions`, getSessions(settings, ports)),
  management('POST', `${baseOf(settings)}/sessions/find`, postFindSession(settings, ports)),
  management('POST', `${baseOf(settings)}/sessions/:sid/clients`, postSessionClients(settings, ports)),
  management('DELETE', `${baseOf(settings)}/sessions/:sid`, deleteSession(settings, ports)),
]

// Initial access tokens in force, and the credentials of clients that leaked.
const credentialRoutes = (settings: HttpSettings, ports: HttpPorts): ReadonlyArray<Route> => [
  management('GET', `${baseOf(settings)}/initial-access-tokens`, getTokens(settings, ports)),
  management('DELETE', `${baseOf(settings)}/initial-access-tokens/:id`, deleteToken(settings, ports)),
  management('POST', `${baseOf(settings)}/clients/:id/renewal`, postRenewal(settings, ports)),
]

/** What the operator's probes and commands use, and nobody else. */
const operatorRoutes = (settings: HttpSettings, ports: HttpPorts): ReadonlyArray<Route> => [
  management('GET', '/health/live', getLive),
  management('GET', '/health/ready', getReady(ports)),
  ...keyRoutes(settings, ports),
  ...sealingRoutes(settings, ports),
  ...noticeRoutes(settings, ports),
  ...credentialRoutes(settings, ports),
  management('POST', `${baseOf(settings)}/registration-policy/judgement`, postJudgement(settings, ports)),
]

export type Served = {
  /** Whether what operators need is served along, because it has no port of its own. */
  readonly withOperators: boolean
}

/** What is served to everybody. */
export const publicRoutes = (
  settings: HttpSettings,
  ports: HttpPorts,
  { withOperators }: Served,
): ReadonlyArray<Route> => {
  const base = baseOf(settings)
  const metadata = getProviderMetadata(settings)
  return [
    registration('POST', `${base}/clients`, postClients(settings, ports)),
    registration('GET', `${base}/clients`, getClients(settings, ports)),
    registration('GET', `${base}/clients/:id`, getClient(settings, ports)),
    registration('PUT', `${base}/clients/:id`, putClient(settings, ports)),
    registration('DELETE', `${base}/clients/:id`, deleteClient(settings, ports)),
    management('POST', `${base}/direct-authz`, postDirectAuthz(settings, ports)),
    publication('GET', `${base}/jwks.json`, getJwks(settings, ports)),
    ...logoutRoutes(settings, ports),
    ...sessionRoutes(settings, ports),
    ...metadataPaths(base).map((path) => publication('GET', path, metadata)),
    ...(settings.documents ?? []).map((each) => document('GET', `${base}${literally(each.path)}`, getDocument(each))),
    ...(withOperators ? operatorRoutes(settings, ports) : []),
  ]
}

/** What probes and commands are served on a port of their own. */
export const managementRoutes = (settings: HttpSettings, ports: HttpPorts): ReadonlyArray<Route> => [
  ...operatorRoutes(settings, ports),
  management('GET', `${baseOf(settings)}/clients`, getClients(settings, ports)),
  management('POST', `${baseOf(settings)}/direct-authz`, postDirectAuthz(settings, ports)),
  management('GET', `${baseOf(settings)}/jwks.json`, getJwks(settings, ports)),
]
