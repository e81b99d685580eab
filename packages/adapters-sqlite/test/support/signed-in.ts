// A store with three clients and the sessions of two end-users.
import { type EndUserSession, defaultNotificationLimits } from '@clientele/domain/logout'
import type { EndedSession, Store } from '@clientele/domain/ports'
import {
  done,
  exampleAuthorization,
  exampleClient,
  exampleHash,
  exampleNotification,
  exampleSession,
  exampleSubject,
  exampleTime,
  addition,
  noRow,
} from '@clientele/testing'

export const cookieOf = (sid: string) => exampleHash(`cookie-${sid}`)

export const session = exampleSession('one', ['a', 'b'])
export const another: EndUserSession = { ...exampleSession('another', ['c']), sub: exampleSubject('max') }
export const granted = { ...exampleAuthorization(exampleClient('a'), 'granted'), session: 'one' }

export const ended: EndedSession = {
  session,
  notifications: [exampleNotification('to-a', 'a'), exampleNotification('to-b', 'b')],
  notificationLimits: defaultNotificationLimits,
  revokesOfflineAccess: false,
}

type Ports = Pick<Store, 'registry' | 'endUserSessions' | 'authorizations'>

export const signIn = async ({ registry, endUserSessions, authorizations }: Ports): Promise<void> => {
  for (const id of ['a', 'b', 'c']) await done(registry.addClient(addition(exampleClient(id))))
  for (const each of [session, another])
    await done(endUserSessions.addSession(each, cookieOf(each.sid), exampleTime, noRow))
  await done(authorizations.recordAuthorization(granted, exampleTime))
}
