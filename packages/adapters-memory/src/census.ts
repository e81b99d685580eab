import { type Census, type CountedClient, type RegisteredClient, sessionEnd } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type State, useOf } from './state.js'
import { step } from './step.js'

const isIn = <Value>(values: Iterable<Value>, holds: (value: Value) => boolean, max: number): number => {
  let found = 0
  for (const value of values) if (holds(value)) found += 1
  return Math.min(found, max)
}

const counted =
  (state: State) =>
  ({ client_id, suspended_at }: RegisteredClient): CountedClient => ({
    ...(suspended_at === undefined ? {} : { suspended_at }),
    ...useOf(state, { client_id }),
  })

export const inMemoryCensus = (state: State): Census => ({
  countClients: (after, max) =>
    step(() => {
      const clients = [...state.clients.values()].slice(after, after + max).map(counted(state))
      return E.right(after + max < state.clients.size ? { clients, next: after + max } : { clients })
    }),
  countOthers: (at, max) =>
    step(() => {
      const entries = [...state.notifications.values()].map(({ entry }) => entry)
      return E.right({
        initialAccessTokens: isIn(state.tokens.values(), ({ expires_at }) => expires_at > at, max),
        endUserSessions: isIn(state.sessions.values(), ({ session }) => sessionEnd(session) > at, max),
        notifications: {
          waiting: isIn(entries, ({ failed }) => !failed, max),
          failed: isIn(entries, ({ failed }) => failed, max),
        },
        oldestNotification: entries.map(({ created_at }) => created_at).sort((one, other) => one - other)[0],
        size: {},
      })
    }),
})
