// The pages of an authorization request, behind the port of the domain: docs/decisions/engine.md.
import { isDocumented, matchRedirectUri } from '@clientele/domain/client'
import { type JsonObject, type TooManyRequests, unavailable } from '@clientele/domain/kernel'
import { Subject } from '@clientele/domain/logout'
import {
  type AnsweredInteraction,
  type BrowserCookies,
  type Interaction,
  type InteractionAnswer,
  type InteractionRefusal,
  type Interactions,
  interactionGone,
} from '@clientele/domain/ports'
import {
  type AuthenticatedEndUser,
  type Consent,
  type KnownClient,
  extendConsent,
  registrationOfKnown,
} from '@clientele/domain/provider'
import type { RegisteredClient, Registration } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { type InteractionResults, type Provider, errors } from 'oidc-provider'
import { type Permissions, addPermissions, claimsOf, saveGrant, storeClaims } from './consents.js'
import { storingFor, wordsOf } from './context.js'
import { TemporarilyUnavailable, orThrow, performed } from './errors.js'
import type { EnginePorts } from './ports.js'
import { isOfBrowser, startOrContinue, storeLogoutElsewhere } from './sessions.js'

type Pending = InstanceType<Provider['Interaction']>
type Found = { readonly pending: Pending; readonly known: KnownClient }
type Answering = { readonly provider: Provider; readonly ports: EnginePorts }

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const valuesOf = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []

const resourcesOf = (missing: unknown): Permissions['resources'] =>
  typeof missing === 'object' && missing !== null
    ? Object.fromEntries(Object.entries(missing).map(([resource, values]) => [resource, valuesOf(values)]))
    : {}

const gone = (why: string) => (): Error => new errors.SessionNotFound(why)

/**
 * What the end-user is requested for: what is missing, or else all that was requested, because the request demands a consent.
 * Who signs in first is not known yet, nor what that end-user consented to.
 */
const requestedOf = async ({ Grant }: Provider, { prompt, params, grantId }: Pending): Promise<Permissions> => {
  const { missingOIDCScope, missingResourceScopes } = prompt.details
  const missing = { scope: valuesOf(missingOIDCScope), resources: resourcesOf(missingResourceScopes) }
  if (missing.scope.length > 0 || Object.keys(missing.resources).length > 0) return missing
  const scope = wordsOf(params['scope'])
  if (prompt.name !== 'consent' || grantId === undefined) return { scope, resources: {} }
  const grant = await Grant.find(grantId)
  // The values of a resource would be shown as those of the service.
  if (grant === undefined) throw gone('what was granted before has ended')()
  const within = (granted: string): ReadonlyArray<string> => scope.filter((each) => wordsOf(granted).includes(each))
  const resources = valuesOf([params['resource']].flat()).map(
    (resource) => [resource, within(grant.getResourceScope(resource))] as const,
  )
  return {
    scope: within(grant.getOIDCScope()),
    resources: Object.fromEntries(resources.filter(([, values]) => values.length > 0)),
  }
}

/** What the interaction waits for, in the terms of the port. */
const described = async ({ provider, ports }: Answering, { pending, known }: Found): Promise<Interaction> => {
  const { uid, params, prompt, session } = pending
  const sub = session?.accountId
  const prompts = wordsOf(params['prompt'])
  const maxAge = prompts.includes('login') ? 0 : Number(params['max_age'])
  const uiLocales = textOf(params['ui_locales'])
  const loginHint = textOf(params['login_hint'])
  return {
    id: uid,
    prompt: prompt.name === 'consent' ? 'consent' : 'login',
    client: known.client,
    redirectUri: textOf(params['redirect_uri']) ?? '',
    ...(await requestedOf(provider, pending)),
    ...(Subject.is(sub) ? { sub, claims: await claimsOf(ports, sub) } : {}),
    // A document without an approval, or that has changed since, is shown whatever was consented to before.
    ...(known.kind === 'documented' || prompts.includes('consent') ? { mustAsk: true } : {}),
    ...(Number.isNaN(maxAge) ? {} : { maxAge }),
    ...(prompts.includes('select_account') ? { selectAccount: true } : {}),
    ...(uiLocales === undefined ? {} : { uiLocales }),
    ...(loginHint === undefined ? {} : { loginHint }),
  }
}

/** The end-user has consented to too many documents. */
class RefusedApproval extends Error {
  constructor(readonly refusal: TooManyRequests) {
    super(refusal.error)
  }
}

const finish = async (
  { ports: { hashToken, now } }: Answering,
  { pending, known }: Found,
  result: InteractionResults,
  setCookies: ReadonlyArray<string> = [],
): Promise<AnsweredInteraction> => {
  pending.result = 'error' in result ? result : { ...pending.lastSubmission, ...result }
  // The grant of before may have ended, and an interaction is stored with one that is there. The request goes on with that of
  // the result, or of the session.
  pending.grantId = result.consent?.grantId
  const use = { kind: 'interaction', hash: hashToken(pending.uid), at: now() } as const
  await storingFor.run({ registration: registrationOfKnown(known), use }, () => pending.persist())
  return { location: pending.returnTo, setCookies }
}

const signIn = async (
  answering: Answering,
  found: Found,
  browser: BrowserCookies,
  { sub, claims, auth_time, acr, amr, logoutElsewhere }: AuthenticatedEndUser,
): Promise<AnsweredInteraction> => {
  const { ports } = answering
  const { pending } = found
  const { sid, setCookies } = await startOrContinue(ports, sub, browser.cookie)
  if (logoutElsewhere !== undefined) await storeLogoutElsewhere(ports, sid, logoutElsewhere)
  await storeClaims(ports, sub, claims, ports.now())
  // The request does not go on in the session of another end-user, which has ended.
  if (pending.session?.accountId !== sub) pending.session = undefined
  const login = {
    accountId: sub,
    ts: auth_time,
    ...(acr === undefined ? {} : { acr }),
    ...(amr === undefined ? {} : { amr: [...amr] }),
  }
  // Who has signed in has chosen the account.
  return finish(answering, found, { login, select_account: {}, endUserSession: sid }, setCookies)
}

const isStillSignedIn = async ({ ports }: Answering, { pending }: Found, browser: BrowserCookies): Promise<boolean> => {
  const uid = pending.session?.uid
  if (uid === undefined) return false
  const found = await orThrow(ports.findArtefactByName('session', ports.hashToken(uid)))
  return O.isSome(found) && isOfBrowser(ports, found.value, browser.cookie)
}

const maxAttempts = 8

/**
 * Adds what is given to the earlier consent. A revocation meanwhile ends the interaction as well, and nothing of before comes
 * back.
 */
const remember = async (
  ports: EnginePorts,
  pending: Pending,
  { sub, client, shown }: Pick<Consent, 'sub' | 'client' | 'shown'>,
  given: Permissions,
  attempts = 1,
): Promise<void> => {
  const earlier = await orThrow(ports.findConsent(sub, client))
  // A revocation ends the interaction. One that committed before the consent was read left nothing that tells of it there.
  const waiting = await orThrow(ports.findArtefact('interaction', ports.hashToken(pending.uid)))
  if (O.isNone(waiting)) throw gone('the connection was revoked')()
  const next = { sub, client, ...given, shown, given_at: ports.now() }
  const consent = extendConsent(earlier, next, pending.grantId !== undefined)
  const recorded = await performed(ports.recordConsent(consent, earlier))
  if (E.isRight(recorded)) return
  const { error } = recorded.left
  if (error === 'unknown_client') throw gone('the registration of the client has ended')()
  if (attempts === maxAttempts) throw new TemporarilyUnavailable('the consent changes all the time')
  return remember(ports, pending, { sub, client, shown }, given, attempts + 1)
}

// The client is stored from the first consent to its document on.
const approved = async ({ ports }: Answering, { known }: Found, sub: Subject): Promise<RegisteredClient> => {
  if (known.kind === 'registered') return known.client
  return orThrow(ports.approveDocument(known.client, sub), (refusal) =>
    refusal.error === 'too_many_requests' ? new RefusedApproval(refusal) : new TemporarilyUnavailable(refusal.error),
  )
}

const consent = async (
  answering: Answering,
  found: Found,
  browser: BrowserCookies,
  shown: JsonObject,
): Promise<AnsweredInteraction | undefined> => {
  const { Grant } = answering.provider
  const { grantId: earlier, session } = found.pending
  const sub = session?.accountId
  if (!Subject.is(sub) || !(await isStillSignedIn(answering, found, browser))) return undefined
  const client = await approved(answering, found, sub)
  const { client_id, registration_id } = client
  const owner = { sub, client: { client_id, registration_id } }
  const given = await requestedOf(answering.provider, found.pending)
  await remember(answering.ports, found.pending, { ...owner, shown }, given)
  // The answer may have ended what was granted before.
  const before = earlier === undefined ? undefined : await Grant.find(earlier)
  const grant = before ?? new Grant({ accountId: sub, clientId: client_id })
  addPermissions(grant, given)
  const saved = await storingFor.run({ registration: client }, () => saveGrant(answering.ports, grant, owner))
  // The connection was revoked meanwhile: there is nothing left to go on with.
  if (saved === undefined) throw gone('the connection was revoked')()
  const answered = { ...found, known: { kind: 'registered', client } } as const
  return finish(answering, answered, { consent: { grantId: saved.jti } })
}

/** RFC 6749 §4.1.2.1; OpenID Core §3.1.2.1 where the end-user was to choose an account, and chose none. */
const denialOf = ({ pending: { prompt, params } }: Found): InteractionResults =>
  prompt.name !== 'consent' && wordsOf(params['prompt']).includes('select_account')
    ? { error: 'account_selection_required', error_description: 'the end-user chose no account' }
    : { error: 'access_denied', error_description: 'the end-user denied the request' }

/** Undefined if the end-user is not signed in any more. */
const answerPending = (
  answering: Answering,
  found: Found,
  browser: BrowserCookies,
  answer: InteractionAnswer,
): Promise<AnsweredInteraction | undefined> => {
  switch (answer.answer) {
    case 'signed_in':
      return signIn(answering, found, browser, answer.endUser)
    case 'consented':
      return consent(answering, found, browser, answer.shown)
    case 'denied':
      return finish(answering, found, denialOf(found))
  }
}

// The engine reads cookies from a request of Node; this one has nothing else.
const requestWith = ({ cookie }: BrowserCookies): readonly [IncomingMessage, ServerResponse] => {
  const request = new IncomingMessage(new Socket())
  request.url = '/'
  if (cookie !== undefined) request.headers.cookie = cookie
  return [request, new ServerResponse(request)]
}

// A request that came before the document of its client was approved goes on after another end-user has approved it.
const isOfRegistration = (one: Registration | undefined, known: KnownClient): boolean => {
  const registration = registrationOfKnown(known)
  if (one === undefined) return isDocumented(known.client)
  return one.client_id === registration?.client_id && one.registration_id === registration.registration_id
}

// RFC 6749 §4.1.2.1: a client that is refused meanwhile has no pages any more.
const knownClient = async ({ ports }: Answering, clientId: string): Promise<KnownClient | undefined> => {
  const found = await performed(ports.resolveClient(clientId))
  if (E.isRight(found)) return O.toUndefined(found.right)
  if (found.left.error === 'unavailable') throw new TemporarilyUnavailable(found.left.detail)
  return undefined
}

// Of another browser, of a session that has ended, or of a registration that has ended: there is none.
const findPending = async (answering: Answering, id: string, browser: BrowserCookies): Promise<Found | undefined> => {
  const { provider, ports } = answering
  const [request, response] = requestWith(browser)
  const pending = await provider.interactionDetails(request, response)
  const { client_id: clientId, redirect_uri: redirectUri } = pending.params
  if (pending.uid !== id || typeof clientId !== 'string') return undefined
  const stored = await orThrow(ports.findArtefact('interaction', ports.hashToken(id)))
  const known = await knownClient(answering, clientId)
  if (O.isNone(stored) || known === undefined || !isOfRegistration(stored.value.client, known)) return undefined
  // RFC 6749 §3.1.2.3: the engine compares the URI when the request comes, and not again when it goes on.
  const isStillGood = typeof redirectUri !== 'string' || O.isSome(matchRedirectUri(known.client.metadata, redirectUri))
  return isStillGood ? { pending, known } : undefined
}

/** Refusals of the engine become those of the port. */
const attempt =
  <Value>(operation: () => Promise<Value | undefined>): TE.TaskEither<InteractionRefusal, Value> =>
  async () => {
    try {
      const value = await operation()
      return value === undefined ? E.left(interactionGone) : E.right(value)
    } catch (cause) {
      if (cause instanceof errors.SessionNotFound || cause instanceof errors.InvalidClient)
        return E.left(interactionGone)
      if (cause instanceof RefusedApproval) return E.left(cause.refusal)
      return E.left(unavailable(cause instanceof TemporarilyUnavailable ? cause.error_detail : cause))
    }
  }

/** The interactions of the engine. */
export const createInteractions = (answering: Answering): Interactions => ({
  findInteraction: (id, browser) =>
    attempt(async () => {
      const found = await findPending(answering, id, browser)
      return found === undefined ? undefined : described(answering, found)
    }),
  answerInteraction: (id, browser, answer) =>
    attempt(async () => {
      const found = await findPending(answering, id, browser)
      // An interaction is answered once.
      return found === undefined || found.pending.result !== undefined
        ? undefined
        : answerPending(answering, found, browser, answer)
    }),
})
