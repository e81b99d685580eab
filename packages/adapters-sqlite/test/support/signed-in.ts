// A store with three clients and the sessions of two end-users.
import { type EndUserSession, defaultNotificationLimits } from '@clientele/domain/logout'
import { type EndedSession, type Store, noLimits } from '@clientele/domain/ports'
import {
  done,
  exampleAuthorization,
  exampleClient,
  exampleHash,
  exampleNotification,
  exampleSession,
  exampleSubject,
  exampleTime,
} from '@clientele/testing'
import * as O from 'fp-ts/lib/Option.js'

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
  for (const id of ['a', 'b', 'c']) await done(registry.addClient(exampleClient(id), O.none, noLimits))
  for (const each of [session, another]) await done(endUserSessions.addSession(each, cookieOf(each.sid), exampleTime))
  await done(authorizations.recordAuthorization(granted, exampleTime))
}
