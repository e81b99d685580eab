// The authorization server of the service: loaded only where the setting `engine` names it.
import {
  type ListenerPorts,
  type PageRenderer,
  cookieIn,
  cookieNames,
  createRequestErrorPage,
  discardRest,
  setCookie,
} from '@clientele/adapters-http'
import { type KeyRotationScheduler, createIdTokenHints, createJwsSigner } from '@clientele/adapters-jose'
import { keyOfPurpose } from '@clientele/adapters-jose/node'
import {
  type Engine,
  type EngineMaker,
  type EnginePorts,
  type SessionCookie,
  loadEngine,
} from '@clientele/adapters-oidc-provider'
import { type GuardedFetch, type OutboundOptions, createDocumentKeySets } from '@clientele/adapters-outbound'
import { sourceOf } from '@clientele/domain/kernel'
import { rememberedId } from '@clientele/domain/operations'
import { listedAlgorithms } from '@clientele/domain/policy'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { createHmac } from 'node:crypto'
import type { Config } from '../config/settings.js'
import { auditPorts } from '../data/operation-ports.js'
import type { OpenedData } from '../data/open-data.js'
import { keySettings } from '../keys/key-settings.js'
import type { LiveListeners } from '../server/listening.js'
import type { Log } from '../observing/log.js'
import type { Provider } from '../provider/provider.js'
import { knownClients, ofPresent } from './known-clients.js'
import { type EngineSecrets, engineSettings } from '../wiring/engine-wiring.js'
import { registrationSettings } from '../wiring/http-settings.js'
import { keySetFetch } from '../wiring/reach-out.js'

export type EngineOptions = {
  readonly config: Config
  /** Which has the settings in force after reloads. */
  readonly live: Pick<LiveListeners, 'presentConfig'>
  readonly data: OpenedData
  readonly rotation: KeyRotationScheduler
  readonly renderPage: PageRenderer
  readonly log: Log
  readonly outbound?: Partial<OutboundOptions> | undefined
  /** The base URL. */
  readonly issuer: string
  readonly provider: Provider
  /** What the engine knows of requests beside their content. */
  readonly ports: Pick<ListenerPorts, 'service' | 'remoteAddress'>
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

const portsOfEngine = (options: EngineOptions): EnginePorts => {
  const { config, live, data, rotation, renderPage, outbound, log, issuer, provider } = options
  const { service, remoteAddress } = options.ports
  const { store, hashToken, generator } = data
  const { auditRow } = auditPorts(hashToken)
  const { readIdTokenHint } = createIdTokenHints(rotation)
  const fetch = keySetFetch(config, outbound)
  const listed = ofPresent(live.presentConfig, (present) => listedAlgorithms(registrationSettings(present, issuer)))
  return {
    ...(fetch === undefined
      ? {}
      : { fetch: fetchBy(fetch), fetchForDocument: fetchBy(createDocumentKeySets(fetch, generator.now)) }),
    consumeBudget: (kind, request) => service.consumeBudget(kind, sourceOf(remoteAddress(request))),
    ...store.artefacts,
    ...store.consents,
    ...createJwsSigner(keySettings(config).policy, rotation),
    findClient: store.registry.findClient,
    confirmReads: store.registry.confirmReads,
    ...knownClients({ ...options, budgets: service }, issuer),
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
      return auditRow({
        ...change,
        origin: { door: 'http', request_id, ...(address === undefined ? {} : { address }) },
      })
    },
    decryptObject: provider.decryptObject,
    listedAlgorithms: (member) => listed()(member),
    hashToken,
    now: generator.now,
    sessions: { ...provider.sessions, findById: store.endUserSessions.findSessionById },
    sessionCookie: sessionCookieOf(issuer),
    readHint: (hint, secret) => async () => {
      const read = await readIdTokenHint(hint, () => () => Promise.resolve(secret))()
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

export const makeEngine = (make: EngineMaker, options: EngineOptions): Engine =>
  make(engineSettings(options.config, options.issuer, secretsOf(options.data)), portsOfEngine(options))
