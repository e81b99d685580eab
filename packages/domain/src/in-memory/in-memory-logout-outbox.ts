import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { ClientId } from '../client/client-id.js'
import type { TriedNotice } from '../logout/delivery.js'
import type { LogoutNotice, OutboxEntry } from '../logout/logout-notice.js'
import type { LogoutOutbox } from '../ports/logout-outbox.js'
import { step } from './step.js'

export type InMemoryOutbox = LogoutOutbox & {
  readonly has: (id: string) => boolean
  readonly add: (notice: LogoutNotice) => void
  readonly removeClient: (id: ClientId) => void
}

export const inMemoryLogoutOutbox = (): InMemoryOutbox => {
  const entries = new Map<string, OutboxEntry>()
  const due = (): ReadonlyArray<OutboxEntry> =>
    [...entries.values()].filter(({ failed }) => !failed).sort((one, other) => one.due_at - other.due_at)
  const first = (some: ReadonlyArray<OutboxEntry>, most: number): ReadonlyArray<OutboxEntry> =>
    some.slice(0, Math.max(0, most))
  const keep = (tried: TriedNotice): void => {
    const entry = entries.get(tried.id)
    if (entry === undefined) return
    if (tried.kind === 'delivered') return void entries.delete(tried.id)
    const { attempts, due_at, note } = tried
    entries.set(tried.id, { ...entry, attempts, due_at, note, failed: tried.kind === 'failed' })
  }
  return {
    has: (id) => entries.has(id),
    add: (notice) =>
      void entries.set(notice.id, { ...notice, attempts: 0, due_at: notice.created_at, failed: false, note: '' }),
    removeClient: (removed) => {
      for (const { id, client_id } of entries.values()) if (client_id === removed) entries.delete(id)
    },
    dueNotices: (at, most) =>
      step(() =>
        E.right(
          first(
            due().filter(({ due_at }) => due_at <= at),
            most,
          ),
        ),
      ),
    nextDue: step(() => E.right(O.fromNullable(due()[0]?.due_at))),
    recordTries: (tries) => step(() => E.right(tries.forEach(keep))),
    listNotices: (most) =>
      step(() =>
        E.right(
          first(
            [...entries.values()].sort((one, other) => one.created_at - other.created_at),
            most,
          ),
        ),
      ),
    retryNotices: (id, at) =>
      step(() => {
        const retried = [...entries.values()].filter((entry) => entry.failed && (O.isNone(id) || id.value === entry.id))
        for (const entry of retried)
          entries.set(entry.id, { ...entry, attempts: 0, due_at: at, failed: false, note: '' })
        return E.right(retried.length)
      }),
    forgetNotices: (before) =>
      step(() => {
        const old = [...entries.values()].filter(({ created_at }) => created_at < before)
        for (const { id } of old) entries.delete(id)
        return E.right(old.length)
      }),
  }
}
