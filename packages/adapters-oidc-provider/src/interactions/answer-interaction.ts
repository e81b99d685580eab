import type { JsonObject, TooManyRequests } from '@clientele/domain/kernel'
import { Subject } from '@clientele/domain/logout'
import type { AnsweredInteraction, BrowserCookies, InteractionAnswer } from '@clientele/domain/ports'
import { type AuthenticatedEndUser, type Consent, registrationOfKnown } from '@clientele/domain/provider'
import type { RegisteredClient } from '@clientele/domain/registration'
import * as O from 'fp-ts/lib/Option.js'
import { type InteractionResults, type Provider, errors } from 'oidc-provider'
import { type AccountPorts, storeClaims } from '../accounts.js'
import { type Grant, type Permissions, addPermissions } from '../consents.js'
import { storingFor } from '../context.js'
import { TemporarilyUnavailable, orThrow } from '../errors.js'
import type { EnginePorts } from '../ports.js'
import { type SessionsPorts, isOfBrowser } from '../sessions/session-of.js'
import { storeLogoutElsewhere } from '../sessions/logout-elsewhere.js'
import { startOrContinue } from '../sessions/start-session.js'
import { type Found, requestedOf } from './describe-interaction.js'

export type InteractionPorts = AccountPorts &
  SessionsPorts &
  Pick<EnginePorts, 'resolveClient' | 'approveDocument' | 'findConsent' | 'recordConsent' | 'consumeArtefact'>

export type Answering = { readonly provider: Provider; readonly ports: InteractionPorts }

/** The end-user has consented to too many documents. */
export class RefusedApproval extends Error {
  constructor(readonly refusal: TooManyRequests) {
    super(refusal.error)
  }
}

const gone = (why: string) => (): Error => new errors.SessionNotFound(why)

const finish = async (
  { ports: { consumeArtefact, hashToken, now } }: Answering,
  { pending, known }: Found,
  result: InteractionResults,
  setCookies: ReadonlyArray<string> = [],
): Promise<AnsweredInteraction> => {
  await orThrow(consumeArtefact('interaction', hashToken(pending.uid), now()), gone('it was answered before'))
  pending.result = 'error' in result ? result : { ...pending.lastSubmission, ...result }
  await storingFor(registrationOfKnown(known), () => pending.persist())
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
  await storeClaims(ports, { sub, claims }, ports.now())
  // The request does not go on in the session of another end-user, which has ended.
  if (pending.session?.accountId !== sub) pending.session = undefined
  const login = {
    accountId: sub,
    ts: auth_time,
    ...(acr === undefined ? {} : { acr }),
    ...(amr === undefined ? {} : { amr: [...amr] }),
  }
  return finish(answering, found, { login, endUserSession: sid }, setCookies)
}

const isStillSignedIn = async ({ ports }: Answering, { pending }: Found, browser: BrowserCookies): Promise<boolean> => {
  const uid = pending.session?.uid
  if (uid === undefined) return false
  const found = await orThrow(ports.findArtefactByName('session', ports.hashToken(uid)))
  return O.isSome(found) && isOfBrowser(ports, found.value, browser.cookie)
}

const grantOf = async (
  { provider }: Answering,
  { pending, known: { client } }: Found,
  sub: Subject,
): Promise<Grant> => {
  const known = pending.grantId === undefined ? undefined : await provider.Grant.find(pending.grantId)
  return known ?? new provider.Grant({ accountId: sub, clientId: client.client_id })
}

const union = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set([...one, ...other]),
]

const unionOfResources = (one: Permissions['resources'], other: Permissions['resources']): Permissions['resources'] =>
  Object.fromEntries(
    union(Object.keys(one), Object.keys(other)).map((each) => [each, union(one[each] ?? [], other[each] ?? [])]),
  )

const remember = async (
  { ports: { findConsent, recordConsent, now } }: Answering,
  { client_id, registration_id }: RegisteredClient,
  { sub, shown }: Pick<Consent, 'sub' | 'shown'>,
  given: Permissions,
): Promise<void> => {
  const client = { client_id, registration_id }
  const earlier = await orThrow(findConsent(sub, client))
  const before: Permissions = O.isNone(earlier) ? { scope: [], resources: {} } : earlier.value
  const scope = union(before.scope, given.scope)
  const resources = unionOfResources(before.resources, given.resources)
  await orThrow(
    recordConsent({ sub, client, scope, resources, shown, given_at: now() }),
    gone('the registration of the client has ended'),
  )
}

// The client is stored from the first consent to its document on.
const approved = async ({ ports }: Answering, { known }: Found, sub: Subject): Promise<RegisteredClient> =>
  known.kind === 'registered'
    ? known.client
    : orThrow(ports.approveDocument(known.client, sub), (refusal) =>
        refusal.error === 'too_many_requests'
          ? new RefusedApproval(refusal)
          : new TemporarilyUnavailable(refusal.error),
      )

const consent = async (
  answering: Answering,
  found: Found,
  browser: BrowserCookies,
  shown: JsonObject,
): Promise<AnsweredInteraction | undefined> => {
  const sub = found.pending.session?.accountId
  if (!Subject.is(sub) || !(await isStillSignedIn(answering, found, browser))) return undefined
  const client = await approved(answering, found, sub)
  const given = requestedOf(found.pending)
  const grant = await grantOf(answering, found, sub)
  addPermissions(grant, given)
  const grantId = await storingFor(client, () => grant.save())
  await remember(answering, client, { sub, shown }, given)
  return finish(answering, { ...found, known: { kind: 'registered', client } }, { consent: { grantId } })
}

/** Undefined if the end-user is not signed in any more. */
export const answerPending = (
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
      // RFC 6749 §4.1.2.1
      return finish(answering, found, {
        error: 'access_denied',
        error_description: 'the end-user denied the request',
      })
  }
}
