import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type {
  ClientId,
  EpochSeconds,
  LogoutNotice,
  LogoutOutbox,
  NoticeLimits,
  OutboxEntry,
  TriedNotice,
} from '@clientele/domain'
import { claimDue, nextDue } from './notification-claims.js'
import { type State, forget, emptyState } from './state.js'
import { step } from './step.js'

type Notices = State['notices']

const entries = (notices: Notices): Array<OutboxEntry> => [...notices.values()].map(({ entry }) => entry)

const unclaimed = (notices: Notices, entry: OutboxEntry): void =>
  void notices.set(entry.id, { entry, claim: undefined })

export const addNotice = (notices: Notices, notice: LogoutNotice): void =>
  unclaimed(notices, { ...notice, attempts: 0, due_at: notice.created_at, failed: false, note: '' })

/** Those that were written first give way, of each of the clients and of all; tells how many. */
export const giveWay = (
  notices: Notices,
  clients: ReadonlyArray<ClientId>,
  { maxPerClient, maxInAll }: NoticeLimits,
): number => {
  const before = notices.size
  const keepLast = (some: ReadonlyArray<OutboxEntry>, max: number): void =>
    some.slice(0, Math.max(0, some.length - max)).forEach(({ id }) => notices.delete(id))
  for (const client of new Set(clients))
    keepLast(
      entries(notices).filter(({ client_id }) => client_id === client),
      maxPerClient,
    )
  keepLast(entries(notices), maxInAll)
  return before - notices.size
}

const record =
  (notices: Notices, holder: string) =>
  (tried: TriedNotice): void => {
    const stored = notices.get(tried.id)
    if (stored?.claim?.holder !== holder) return
    if (tried.kind === 'delivered') return void notices.delete(tried.id)
    const { attempts, due_at, note } = tried
    unclaimed(notices, { ...stored.entry, attempts, due_at, note, failed: tried.kind === 'failed' })
  }

const retry = (notices: Notices, id: O.Option<string>, at: EpochSeconds): number => {
  const retried = entries(notices).filter((entry) => entry.failed && (O.isNone(id) || id.value === entry.id))
  for (const entry of retried) unclaimed(notices, { ...entry, attempts: 0, due_at: at, failed: false, note: '' })
  return retried.length
}

const forgetBefore = (notices: Notices, before: EpochSeconds): number => {
  const count = notices.size
  forget(notices, ({ entry }) => entry.created_at < before)
  return count - notices.size
}

/** With a way in and a look inside. */
export type InMemoryOutbox = LogoutOutbox & {
  readonly add: (notice: LogoutNotice) => void
  readonly has: (id: string) => boolean
}

export const inMemoryLogoutOutbox = ({ notices }: Pick<State, 'notices'> = emptyState()): InMemoryOutbox => ({
  add: (notice) => addNotice(notices, notice),
  has: (id) => notices.has(id),
  claimDue: (at, claim, max) => step(() => E.right(claimDue(notices, at, claim, max))),
  nextDue: (at, holder) => step(() => E.right(nextDue(notices, at, holder))),
  recordTries: (holder, tries) => step(() => E.right(tries.forEach(record(notices, holder)))),
  listNotices: (max) =>
    step(() => {
      const oldestFirst = entries(notices).sort((one, other) => one.created_at - other.created_at)
      return E.right(oldestFirst.slice(0, Math.max(0, max)))
    }),
  retryNotices: (id, at) => step(() => E.right(retry(notices, id, at))),
  forgetNotices: (before) => step(() => E.right(forgetBefore(notices, before))),
})
