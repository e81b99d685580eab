// The pages of an authorization request, behind the port of the domain: docs/decisions/0102.
import {
  type AnsweredInteraction,
  type AuthenticatedEndUser,
  type BrowserCookies,
  ClientId,
  type InteractionAnswer,
  type InteractionGone,
  type Interactions,
  type JsonObject,
  type Registration,
  Subject,
  type Unavailable,
  interactionGone,
  unavailable,
} from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { type Provider, errors } from 'oidc-provider'
import { type AccountPorts, storeClaims } from './accounts.js'
import { type Grant, type Permissions, addPermissions } from './consents.js'
import { storingFor } from './context.js'
import { type Found, type Pending, askedFor, described, named } from './describe-interaction.js'
import { TemporarilyUnavailable, orThrow } from './errors.js'
import type { EnginePorts } from './ports.js'
import { type SessionsPorts, isOfBrowser } from './sessions/session-of.js'

export type InteractionPorts = AccountPorts &
  SessionsPorts &
  Pick<EnginePorts, 'findClient' | 'findConsent' | 'recordConsent' | 'consumeArtefact'>

// The engine reads cookies from a request of Node; this one has nothing else.
const requestWith = ({ cookie }: BrowserCookies): readonly [IncomingMessage, ServerResponse] => {
  const request = new IncomingMessage(new Socket())
  request.url = '/'
  if (cookie !== undefined) request.headers.cookie = cookie
  return [request, new ServerResponse(request)]
}

const isOfRegistration = (one: Registration | undefined, { client_id, registration_id }: Registration): boolean =>
  one?.client_id === client_id && one.registration_id === registration_id

const union = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set([...one, ...other]),
]

const unionOfResources = (one: Permissions['resources'], other: Permissions['resources']): Permissions['resources'] =>
  Object.fromEntries(
    union(Object.keys(one), Object.keys(other)).map((each) => [each, union(one[each] ?? [], other[each] ?? [])]),
  )

const isGone = (cause: unknown): boolean =>
  cause instanceof errors.SessionNotFound || cause instanceof errors.InvalidClient

/** Refusals of the engine become those of the port. */
const attempt =
  <Value>(operation: () => Promise<Value | undefined>): TE.TaskEither<InteractionGone | Unavailable, Value> =>
  async () => {
    try {
      const value = await operation()
      return value === undefined ? E.left(interactionGone) : E.right(value)
    } catch (cause) {
      if (isGone(cause)) return E.left(interactionGone)
      return E.left(unavailable(cause instanceof TemporarilyUnavailable ? cause.error_detail : cause))
    }
  }

type Answering = {
  readonly find: (id: string, browser: BrowserCookies) => Promise<Found | undefined>
  readonly answer: (
    found: Found,
    browser: BrowserCookies,
    answer: InteractionAnswer,
  ) => Promise<AnsweredInteraction | undefined>
}

const answering = (provider: Provider, ports: InteractionPorts): Answering => {
  const { sessions, sessionCookie, now, hashToken, findArtefact, findClient, findConsent, recordConsent, consumeArtefact } = ports

  // Of another browser, of a session that has ended, or of a registration that has ended: there is none.
  const find = async (id: string, browser: BrowserCookies): Promise<Found | undefined> => {
    const [request, response] = requestWith(browser)
    const pending = await provider.interactionDetails(request, response)
    const clientId = pending.params['client_id']
    if (pending.uid !== id || !ClientId.is(clientId)) return undefined
    const [stored, client] = await Promise.all([
      orThrow(findArtefact('interaction', hashToken(id))),
      orThrow(findClient(clientId)),
    ])
    return O.isSome(stored) && O.isSome(client) && isOfRegistration(stored.value.client, client.value)
      ? { pending, client: client.value }
      : undefined
  }

  const finish = async (
    { pending, client }: Found,
    result: NonNullable<Pending['result']>,
    setCookies: ReadonlyArray<string> = [],
  ): Promise<AnsweredInteraction> => {
    await orThrow(consumeArtefact('interaction', hashToken(pending.uid), now()), () => new errors.SessionNotFound('answered'))
    pending.result = 'error' in result ? result : { ...pending.lastSubmission, ...result }
    await storingFor(client, () => pending.persist())
    return { location: pending.returnTo, setCookies }
  }

  /** The end-user session of the browser; another end-user's session ends. */
  const startSession = async (
    sub: Subject,
    { cookie }: BrowserCookies,
  ): Promise<{ readonly sid: string; readonly setCookies: ReadonlyArray<string> }> => {
    const present = sessionCookie.read(cookie)
    const found = present === undefined ? undefined : await sessions.find(present)()
    if (found !== undefined && E.isRight(found)) {
      if (found.right.sub === sub) return { sid: found.right.sid, setCookies: [] }
      await orThrow(sessions.end(found.right.sid), () => new errors.SessionNotFound('the session has ended'))
    }
    const { session, cookie: value } = await orThrow(sessions.start({ sub }))
    return { sid: session.sid, setCookies: [sessionCookie.write(value)] }
  }

  const signIn = async (
    found: Found,
    browser: BrowserCookies,
    { sub, claims, auth_time, acr, amr }: AuthenticatedEndUser,
  ): Promise<AnsweredInteraction> => {
    const { sid, setCookies } = await startSession(sub, browser)
    await storeClaims(ports, { sub, claims }, now())
    // The request does not go on in the session of another end-user, which has ended.
    if (found.pending.session !== undefined && found.pending.session.accountId !== sub) found.pending.session = undefined
    const login = { accountId: sub, ts: auth_time, ...named('acr', acr), ...named('amr', amr && [...amr]) }
    return finish(found, { login, endUserSession: sid }, setCookies)
  }

  const grantFor = async ({ pending, client }: Found, sub: Subject): Promise<Grant> => {
    const known = pending.grantId === undefined ? undefined : await provider.Grant.find(pending.grantId)
    return (known as Grant | undefined) ?? new provider.Grant({ accountId: sub, clientId: client.client_id })
  }

  const consent = async (found: Found, browser: BrowserCookies, shown: JsonObject) => {
    const sub = found.pending.session?.accountId
    if (!Subject.is(sub) || !(await isStillSignedIn(found, browser))) return undefined
    const { client } = found
    const given = askedFor(found.pending)
    const earlier = await orThrow(findConsent(sub, client))
    const before = O.isNone(earlier) ? { scope: [], resources: {} } : earlier.value
    const grant = await grantFor(found, sub)
    addPermissions(grant, given)
    const grantId = await storingFor(client, () => grant.save())
    await orThrow(
      recordConsent({
        sub,
        scope: union(before.scope, given.scope),
        resources: unionOfResources(before.resources, given.resources),
        shown,
        client: { client_id: client.client_id, registration_id: client.registration_id },
        given_at: now(),
      }),
      () => new errors.InvalidClient('client is invalid', 'its registration has ended'),
    )
    return finish(found, { consent: { grantId } })
  }

  const isStillSignedIn = async ({ pending }: Found, { cookie }: BrowserCookies): Promise<boolean> => {
    const uid = pending.session?.uid
    if (uid === undefined) return false
    const found = await orThrow(ports.findArtefactByName('session', hashToken(uid)))
    return O.isSome(found) && isOfBrowser(ports, found.value, cookie)
  }

  return {
    find,
    answer: (found, browser, answer) => {
      switch (answer.answer) {
        case 'signed_in':
          return signIn(found, browser, answer.endUser)
        case 'consented':
          return consent(found, browser, answer.shown)
        case 'denied':
          // RFC 6749 §4.1.2.1
          return finish(found, { error: 'access_denied', error_description: 'the end-user denied the request' })
      }
    },
  }
}

/** The interactions of the engine. */
export const createInteractions = (provider: Provider, ports: InteractionPorts): Interactions => {
  const { find, answer } = answering(provider, ports)
  return {
    findInteraction: (id, browser) =>
      attempt(async () => {
        const found = await find(id, browser)
        return found === undefined ? undefined : described(ports, found)
      }),
    answerInteraction: (id, browser, given) =>
      attempt(async () => {
        const found = await find(id, browser)
        // An interaction is answered once.
        return found === undefined || found.pending.result !== undefined ? undefined : answer(found, browser, given)
      }),
  }
}
