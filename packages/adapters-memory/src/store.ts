// The store: the ports of all parts of the state, its budgets, and its counts.
import type { InitialAccessToken } from '@clientele/domain/authorization'
import { type EpochSeconds, draw, latestStored } from '@clientele/domain/kernel'
import { sessionEnd } from '@clientele/domain/logout'
import { addCounts, latestRefusals, refusalsSince } from '@clientele/domain/managing'
import { type StoragePorts, type StoreOpener, maxForgotten } from '@clientele/domain/ports'
import type { RegisteredClient } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { auditLog } from './audit.js'
import {
  clientRegistry,
  clientSearch,
  clientUses,
  clientsAfter,
  pageOf,
  positionOf,
  secretUses,
  useOf,
} from './clients.js'
import { connections, consents } from './connections.js'
import { artefacts, clientAuthorizations } from './grants.js'
import { foreignKeys, keyRings, leases } from './keys.js'
import { endUserSessions, inMemoryPendingNotifications, providerEvents, sessionTermination } from './sessions.js'
import { type State, certainly, emptyState, step } from './state.js'
import { initialAccessTokens, operatorTokens } from './tokens.js'

const budgets = ({ budgets: rows }: State): StoragePorts['budgets'] => ({
  drawFromBudget: step(({ kind, source, network, limits, most }, now) => {
    const keys = { source: `${kind} ${source}`, network: `${kind} ${network}`, all: kind }
    const wholeAtOf = (key: string) => rows.get(key)?.wholeAt
    const states = { source: wholeAtOf(keys.source), network: wholeAtOf(keys.network), all: wholeAtOf(keys.all) }
    const drawn = draw(limits, states, most, now)
    if (E.isLeft(drawn)) return drawn
    const { units, wholeAt } = drawn.right
    const latest = latestStored(limits, now)
    const whole = [...rows.where('kind', kind)].filter(([, row]) => row.wholeAt <= now || row.wholeAt > latest)
    for (const [key] of whole.slice(0, maxForgotten.budgets)) rows.delete(key)
    rows.set(keys.all, { kind, wholeAt: wholeAt.all })
    rows.set(keys.source, { kind, wholeAt: wholeAt.source })
    rows.set(keys.network, { kind, wholeAt: wholeAt.network })
    return E.right(units)
  }),
})

const refusals = (state: State): StoragePorts['refusals'] => ({
  recordRefusals: certainly((observed, at) => {
    const since = refusalsSince(at)
    const { counts, refusals: kept } = state.refusals
    state.refusals = {
      counts: addCounts([...counts, ...observed.counts]).filter(({ last_at }) => last_at >= since),
      refusals: latestRefusals([...kept, ...observed.refusals].filter((each) => each.at >= since)),
    }
  }),
  listRefusals: certainly(() => state.refusals)(),
})

const count = <Row>(rows: ReadonlyMap<unknown, Row>, isMeant: (row: Row) => boolean, max: number): number =>
  Math.min(max, [...rows.values()].filter(isMeant).length)

const census = (state: State): StoragePorts['census'] => ({
  countClients: certainly((after, max) => {
    const show = ({ client_id, suspended_at, approval }: RegisteredClient) => ({
      ...(suspended_at === undefined ? {} : { suspended_at }),
      ...(approval === undefined ? {} : { approval }),
      ...useOf(state, client_id),
    })
    return pageOf(clientsAfter(state, after), max, show, (client) => positionOf(state, client))
  }),
  countOthers: certainly((at, max) => ({
    initialAccessTokens: count(state.tokens, ({ expires_at }) => expires_at > at, max),
    endUserSessions: count(state.sessions, ({ session }) => sessionEnd(session) > at, max),
    notifications: {
      waiting: count(state.notifications, ({ entry }) => !entry.failed, max),
      failed: count(state.notifications, ({ entry }) => entry.failed, max),
    },
    oldestNotification: [...state.notifications.values()]
      .map(({ entry }) => entry.created_at)
      .sort((one, other) => one - other)[0],
    size: {},
  })),
})

export type InMemoryStore = StoragePorts & {
  /** The stored clients, for inspection by a host. */
  readonly clients: ReadonlyMap<string, RegisteredClient>
  readonly tokens: ReadonlyMap<string, InitialAccessToken>
}

/**
 * The storage ports in memory, with all of their promises except that nothing outlives the process. Stores of the same
 * state are handles on one store. `now` is its clock for keys, in place of that of the platform.
 */
export const inMemoryStore = (state: State = emptyState(), now?: () => EpochSeconds): InMemoryStore => ({
  clients: state.clients,
  tokens: state.tokens,
  registry: clientRegistry(state),
  clientUses: clientUses(state),
  clientSearch: clientSearch(state),
  initialAccessTokens: initialAccessTokens(state),
  operatorTokens: operatorTokens(state),
  authorizations: clientAuthorizations(state),
  artefacts: artefacts(state),
  connections: connections(state),
  consents: consents(state),
  keyRings: keyRings(state, now),
  foreignKeys: foreignKeys(state),
  endUserSessions: endUserSessions(state),
  sessionTermination: sessionTermination(state),
  pendingNotifications: inMemoryPendingNotifications(state),
  leases: leases(state),
  budgets: budgets(state),
  providerEvents: providerEvents(state),
  refusals: refusals(state),
  secretUses: secretUses(state),
  census: census(state),
  auditLog: auditLog(state),
})

/** Opens a store in memory, like any store. It seals no values, and closing it has no effect. */
export const openInMemoryStore =
  (state: State = emptyState()): StoreOpener =>
  ({ generateKey, now }) =>
    TE.fromIO(() => {
      state.digestKey ??= generateKey()
      return {
        ...inMemoryStore(state, now),
        digestKey: state.digestKey,
        check: TE.right(undefined),
        sealAnew: () => () => TE.right({ values: 0, sealed: 0, unreadable: 0 }),
        countSealed: TE.right(0),
        close: () => Promise.resolve(),
      }
    })
