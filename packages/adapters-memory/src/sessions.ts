// The sessions of end-users, their ends, and the logout notifications that an end writes.
import { type EpochSeconds, jsonInOrder, unavailable } from '@clientele/domain/kernel'
import {
  type EndUserSession,
  type LogoutNotification,
  type PendingNotification,
  receiverOf,
  sessionEnd,
} from '@clientele/domain/logout'
import { type PendingNotifications, type StoragePorts, maxForgotten, sessionChanged } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { useClient, withRegistered } from './clients.js'
import {
  type State,
  type StoredSession,
  certainly,
  changed,
  emptyState,
  expiry,
  firstOver,
  forgetOver,
  isRegistered,
  recordEvent,
  step,
  writeAudit,
} from './state.js'

// The clients of the session, if they are others than before, are used when the session is.
const store = (state: State, stored: StoredSession, before?: EndUserSession): void => {
  state.sessions.set(stored.session.sid, stored)
  const { clients, used_at } = stored.session
  if (jsonInOrder(clients) === jsonInOrder(before?.clients)) return
  for (const { client_id } of clients) useClient(state, client_id, used_at)
}

/** Removes the session, its artefacts and its authorizations; those for offline access only if requested. */
const remove = (state: State, sid: string, revokesOfflineAccess: boolean): void => {
  for (const [key, { offline }] of [...state.authorizations.where('session', sid)])
    if (offline !== true || revokesOfflineAccess) state.authorizations.delete(key)
  state.artefacts.deleteWhere('session', sid)
  state.sessions.delete(sid)
}

/** The session, if the stored version is the one that was read. */
const current = ({ sessions }: State, sid: string, read: EndUserSession): StoredSession | undefined => {
  const stored = sessions.get(sid)
  return stored?.session.version === read.version ? stored : undefined
}

export const endUserSessions = (state: State): StoragePorts['endUserSessions'] => ({
  addSession: step((session, cookie, at, audit) => {
    const { sessions } = state
    const over = firstOver(sessions, (each) => sessionEnd(each.session), at, maxForgotten.sessions)
    const others = [...sessions.where('cookie', cookie).keys(), session.sid]
    if (others.some((sid) => sessions.has(sid) && !over.includes(sid))) return E.left(unavailable('taken'))
    for (const sid of over) remove(state, sid, false)
    store(state, { cookie, session: withRegistered(state, session) })
    return changed(state, audit)
  }),
  findSession: certainly((cookie) => {
    const [stored] = state.sessions.where('cookie', cookie).values()
    return O.fromNullable(stored?.session)
  }),
  findSessionById: certainly((sid) => O.fromNullable(state.sessions.get(sid)?.session)),
  listSessions: certainly((sub) =>
    [...state.sessions.where('sub', sub).values()]
      .map(({ session }) => session)
      .sort((one, other) => one.auth_time - other.auth_time),
  ),
  replaceSession: step(({ next, replacing, audit }) => {
    const stored = current(state, next.sid, replacing)
    if (stored === undefined) return E.left(sessionChanged)
    store(state, { ...stored, session: withRegistered(state, next) }, replacing)
    return changed(state, audit)
  }),
})

const entries = ({ notifications }: State): Array<PendingNotification> =>
  [...notifications.values()].map(({ entry }) => entry)

const addNotification = ({ notifications }: State, notification: LogoutNotification): void => {
  const entry = { ...notification, attempts: 0, due_at: notification.created_at, failed: false, note: '' }
  notifications.set(entry.id, { entry })
}

const keepLast = ({ notifications }: State, ids: ReadonlyArray<string>, max: number): void =>
  ids.slice(0, Math.max(0, ids.length - max)).forEach((id) => notifications.delete(id))

export const sessionTermination = (state: State): StoragePorts['sessionTermination'] => ({
  hasEnded: certainly((confirmation) => state.endingConfirmations.has(confirmation)),
  endSession: step(({ session, notifications, notificationLimits, revokesOfflineAccess, by }, audit) => {
    if (current(state, session.sid, session) === undefined) return E.left(sessionChanged)
    const added = notifications.filter(isRegistered(state))
    const ids = new Set(added.map(({ id }) => id))
    if (ids.size < added.length || added.some(({ id }) => state.notifications.has(id)))
      return E.left(unavailable('taken'))
    for (const notification of added) addNotification(state, notification)
    remove(state, session.sid, revokesOfflineAccess)
    recordEvent(state, { event: 'session_ended', sid: session.sid })
    if (by !== undefined) {
      forgetOver(state.endingConfirmations, expiry, by.answered_at - 1, maxForgotten.endingConfirmations)
      state.endingConfirmations.set(by.confirmation, by)
    }
    writeAudit(state, audit)
    // The oldest notifications above the limits give way.
    const before = state.notifications.size
    for (const client of new Set(added.map(({ client_id }) => client_id)))
      keepLast(state, [...state.notifications.where('client', client).keys()], notificationLimits.maxPerClient)
    keepLast(state, [...state.notifications.keys()], notificationLimits.maxInAll)
    return E.right({ gaveWay: before - state.notifications.size })
  }),
})

/** The claims of others that have not ended, and what they leave: what has not failed, the longest due first. */
const claims = (state: State, at: EpochSeconds, holder: string) => {
  const ofOthers = [...state.notifications.where('claimed', 'yes').values()].flatMap(({ entry, claim }) =>
    claim === undefined || claim.holder === holder || claim.until <= at ? [] : [{ entry, until: claim.until }],
  )
  const receivers = new Set(ofOthers.map(({ entry }) => receiverOf(entry)))
  const free = entries(state)
    .filter((entry) => !entry.failed && !receivers.has(receiverOf(entry)))
    .sort((one, other) => one.due_at - other.due_at)
  return { ofOthers, free }
}

/** The port, with access to its notifications for tests. */
export type InMemoryPendingNotifications = PendingNotifications & {
  readonly add: (notification: LogoutNotification) => void
  readonly has: (id: string) => boolean
}

export const inMemoryPendingNotifications = (state: State = emptyState()): InMemoryPendingNotifications => ({
  add: (notification) => addNotification(state, notification),
  has: (id) => state.notifications.has(id),
  claimDue: certainly((at, claim, max) => {
    const due = claims(state, at, claim.holder).free.filter(({ due_at }) => due_at <= at)
    const claimed = due.slice(0, Math.max(0, max))
    for (const entry of claimed) state.notifications.set(entry.id, { entry, claim })
    return claimed
  }),
  nextDue: certainly((at, holder) => {
    const { ofOthers, free } = claims(state, at, holder)
    const times = [...free.map(({ due_at }) => due_at), ...ofOthers.map(({ until }) => until)]
    return O.fromNullable(times.sort((one, other) => one - other)[0])
  }),
  recordTries: certainly((holder, tries) => {
    for (const tried of tries) {
      const { entry, claim } = state.notifications.get(tried.id) ?? {}
      if (entry === undefined || claim?.holder !== holder) continue
      if (tried.kind === 'delivered') state.notifications.delete(tried.id)
      else {
        const { attempts, due_at, note, kind } = tried
        state.notifications.set(tried.id, { entry: { ...entry, attempts, due_at, note, failed: kind === 'failed' } })
      }
    }
  }),
  listNotifications: certainly((max) => {
    const oldestFirst = entries(state).sort((one, other) => one.created_at - other.created_at)
    return oldestFirst.slice(0, Math.max(0, max))
  }),
  retryNotifications: certainly((id, at, audit) => {
    const retried = entries(state).filter((entry) => entry.failed && (O.isNone(id) || id.value === entry.id))
    for (const entry of retried)
      state.notifications.set(entry.id, { entry: { ...entry, attempts: 0, due_at: at, failed: false, note: '' } })
    if (retried.length > 0) writeAudit(state, audit)
    return retried.length
  }),
  purgeNotifications: certainly((before) =>
    forgetOver(state.notifications, ({ entry }) => entry.created_at, before - 1),
  ),
})

export const providerEvents = ({ events }: State): StoragePorts['providerEvents'] => ({
  latestPosition: certainly(() => events.at(-1)?.position ?? 0)(),
  listEvents: certainly((position, max) => {
    // Positions are consecutive.
    const stored = (events[0]?.position ?? 1) - 1
    const from = Math.max(0, position - stored)
    const page = events.slice(from, from + max)
    return {
      events: page,
      position: page.at(-1)?.position ?? position,
      forgotten: page.length > 0 && stored > position,
    }
  }),
})
