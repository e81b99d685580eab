import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TokenHash } from '../authorization/credential.js'
import { type UnknownSession, unknownSession } from '../kernel/refusals.js'
import type { EndUserSession } from '../logout/sessions.js'
import type { Answer, Clock } from '../ports/outside.js'
import type { ClientRegistry, Consents, EndUserSessions } from '../ports/store.js'
import type { Consent } from '../provider/consent.js'
import type { RegisteredClient } from '../registration/registered-client.js'
import { findClients, findLiveSession } from './sessions.js'

// What the end-user of a browser consented to, and its revocation: OpenID Connect Core §11, RFC 6819 §5.1.5.4.

export type ConsentOfClient = { readonly consent: Consent; readonly client: RegisteredClient }

export type ListedConsents = {
  readonly session: EndUserSession
  /** Without those whose registration has ended. */
  readonly consents: ReadonlyArray<ConsentOfClient>
}

/** The consents of the end-user who is signed in with the cookie. */
export const listConsents =
  (ports: EndUserSessions & ClientRegistry & Consents & Clock) =>
  (cookie: TokenHash | undefined): Answer<ListedConsents, UnknownSession> =>
  async () => {
    const found = await findLiveSession(ports, ports.now())(O.fromNullable(cookie))()
    if (E.isLeft(found)) return found
    const session = found.right
    if (session === undefined) return E.left(unknownSession)
    const listed = await ports.listConsents(session.sub)()
    if (E.isLeft(listed)) return listed
    const clients = await findClients(ports)(listed.right.map(({ client }) => client.client_id))()
    if (E.isLeft(clients)) return clients
    const byRegistration = new Map(clients.right.map((client) => [client.registration_id, client]))
    const consents = listed.right.flatMap((consent) => {
      const client = byRegistration.get(consent.client.registration_id)
      return client === undefined ? [] : [{ consent, client }]
    })
    return E.right({ session, consents })
  }
