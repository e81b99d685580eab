// The authorization server of the service, loaded only where the setting `engine` names it; the interface for a provider
// below it, and the pages of login and consent beside it.
import {
  type ListenerPorts,
  type PageRenderer,
  cookieIn,
  cookieNames,
  createRequestErrorPage,
  discardRest,
  setCookie,
} from '@clientele/adapters-http'
import {
  type KeyRotationScheduler,
  createIdTokenHints,
  createJwsSigner,
  createObjectDecrypter,
  createTokenSigner,
} from '@clientele/adapters-jose'
import { keyOfPurpose, verifyByNode } from '@clientele/adapters-jose/node'
import { type HostLogin, logoutElsewhereUrl } from '@clientele/adapters-login'
import {
  type Engine,
  type EngineMaker,
  type EnginePorts,
  type SessionCookie,
  loadEngine,
} from '@clientele/adapters-oidc-provider'
import { type GuardedFetch, createDocumentKeySets } from '@clientele/adapters-outbound'
import { sourceOf } from '@clientele/domain/kernel'
import { rememberedId } from '@clientele/domain/operations'
import { allowsResponseType, listedAlgorithms, noPolicy } from '@clientele/domain/policy'
import type { EndUserLogin, LogoutElsewherePorts, SecretUse } from '@clientele/domain/ports'
import { secretsOfIssued } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { createHmac } from 'node:crypto'
import { type EngineSecrets, engineSettings } from '../config/engine.js'
import { keySettings } from '../config/keys.js'
import { logoutSettings } from '../config/logout.js'
import { clientLogos, keySetFetch } from '../config/outbound.js'
import { consentPolicy } from '../config/pages.js'
import { registrationSettings } from '../config/registration.js'
import type { Config } from '../config/settings.js'
import type { OpenedData } from '../data/open-data.js'
import type { Log } from '../observing/log.js'
import {
  type KnownClientsOptions,
  clientEntriesOf,
  documentPolicyOf,
  knownClients,
  ofPresent,
} from './known-clients.js'
import { createLogin } from './login.js'
import { type Provider, createProvider } from './provider.js'

export type ProvidedOptions = KnownClientsOptions & {
  readonly rotation: KeyRotationScheduler
  readonly renderPage: PageRenderer
  readonly ports: ListenerPorts
  readonly secretUses: SecretUse
  /** Whether the service is told to stop. */
  readonly isDraining: () => boolean
  /** Undefined where there is no authorization server. */
  readonly engineMaker: EngineMaker | undefined
  /** The login of the host, in place of the setting. */
  readonly host: HostLogin | undefined
}

// Cookies outlive a change of the encryption key, as long as it is still among those that open.
const secretsOf = ({ keyHolder, store }: OpenedData): EngineSecrets => ({
  cookieKeys: keyHolder.keys().map((key) => keyOfPurpose(key, 'provider cookies').toString('base64url')),
  pairwiseSalt: createHmac('sha256', store.digestKey).update('pairwise identifiers').digest('base64url'),
})

const sessionCookieOf = (issuer: string): SessionCookie => {
  const names = cookieNames(issuer)
  return {
    read: (cookie) => cookieIn(cookie, names.session),
    write: (value) => setCookie(names.session, value, names),
  }
}

const fetchBy =
  (fetch: GuardedFetch): NonNullable<EnginePorts['fetch']> =>
  (url, { method = 'GET', headers }) =>
    fetch(url, { method, headers: Object.fromEntries(new Headers(headers)) })

const enginePorts = (options: ProvidedOptions, provider: Provider): EnginePorts => {
  const { config, live, data, rotation, renderPage, outbound, log, issuer } = options
  const { service, remoteAddress } = options.ports
  const { store, hashToken, generator, operations } = data
  const { readIdTokenHint } = createIdTokenHints(rotation, verifyByNode())
  const fetch = keySetFetch(config, outbound)
  const listed = ofPresent(live, (present) => listedAlgorithms(registrationSettings(present, issuer)))
  return {
    ...(fetch === undefined
      ? {}
      : {
          fetch: fetchBy(fetch),
          fetchForDocument: fetchBy(createDocumentKeySets(fetch, generator.now)),
          fetchObjectForAnyone: fetchBy(createDocumentKeySets(fetch, generator.now)),
        }),
    consumeBudget: (kind, request) => service.consumeBudget(kind, sourceOf(remoteAddress(request))),
    ...store.artefacts,
    ...store.consents,
    ...createJwsSigner(keySettings(config).policy, rotation),
    findClient: store.registry.findClient,
    confirmReads: store.registry.confirmReads,
    ...knownClients(options, service),
    recordUse: (registration) =>
      pipe(
        provider.clients.recordUse(registration),
        TE.orElseFirstIOK(({ detail }) => () => {
          log.warn({ client_id: registration.client_id, detail }, 'the use of a client was not recorded')
        }),
      ),
    isRemembered: (id) => store.clientUses.isRemembered(rememberedId(hashToken, id), generator.now()),
    ...store.initialAccessTokens,
    auditRow: ({ req, res }, change) => {
      const address = remoteAddress(req)
      const request_id = String(res.getHeader('X-Request-Id'))
      return operations.auditRow({
        ...change,
        origin: { door: 'http', request_id, ...(address === undefined ? {} : { address }) },
      })
    },
    decryptObject: provider.decryptObject,
    listedAlgorithms: (member) => listed()(member),
    allowsResponseType: (each) => allowsResponseType(live.present().config['registration-policy'] ?? noPolicy, each),
    clientEntries: clientEntriesOf(live),
    hashToken,
    now: generator.now,
    sessions: { ...provider.sessions, findById: store.endUserSessions.findSessionById },
    sessionCookie: sessionCookieOf(issuer),
    useSecret: options.secretUses.useSecret,
    readHint: (hint, client) => async () => {
      const secrets = secretsOfIssued(client, generator.now())
      const read = await readIdTokenHint(hint, () => () => Promise.resolve(secrets))()
      return E.isRight(read) ? read.right : undefined
    },
    errorPage: createRequestErrorPage(renderPage),
    discardRest,
  }
}

const remedyFor = (warning: string): string =>
  /unsupported runtime/i.test(warning)
    ? 'oidc-provider supports Node 22 and later, and was tested here on Node 20: run the service on Node 22 or later'
    : 'none: the service sets what it needs'

/** Undefined where there is no authorization server: then nothing of it is loaded. */
export const loadEngineOf = (config: Config, log: Log): TE.TaskEither<string, EngineMaker | undefined> =>
  config.engine === 'none'
    ? TE.right(undefined)
    : TE.tryCatch(
        () => loadEngine((warning) => log.warn({ warning, remedy: remedyFor(warning) }, 'oidc-provider')),
        (cause) => `engine: oidc-provider cannot be loaded (${cause instanceof Error ? cause.message : String(cause)})`,
      )

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
  const { config, live, data, ports, log, outbound } = options
  const service = { ...ports.service, ...engine.claims, ...logoutElsewherePorts(options, engine) }
  if (login === undefined) return { ...ports, service }
  const { artefacts, consents } = data.store
  const entries = clientEntriesOf(live)
  const settled = consentPolicy(config)
  const policies = {
    consentPolicy: () => ({ ...settled, clients: entries() }),
    documentPolicy: documentPolicyOf(live),
  }
  const consenting = { ...artefacts, ...consents, ...engine.interactions, login, ...policies }
  const logos = clientLogos(config, {
    now: data.generator.now,
    onFailure: (uri, reason) => log.warn({ host: new URL(uri).host, reason }, 'a logo is not shown'),
    ...outbound,
  })
  return { ...ports, service, signIn: { ...service, ...consenting, ...logos } }
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
  const login = createLogin({ ...options, signToken })
  if (engineMaker === undefined) return { provider, engine: undefined, login, ports }
  const engine = engineMaker(engineSettings(config, issuer, secretsOf(data)), enginePorts(options, provider))
  return {
    provider: { ...provider, interactions: engine.interactions },
    engine,
    login,
    ports: withEndUsers(options, engine, login),
  }
}
