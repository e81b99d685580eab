// RFC 7591 §3.1: the decision about a registration, with the steps that led to it.
import * as E from 'fp-ts/lib/Either.js'
import type * as O from 'fp-ts/lib/Option.js'
import { type Registrant, type InitialAccessToken, authorizeRegistrant } from '../authorization/authorize-registrant.js'
import type { PresentedCredential, TokenHash } from '../authorization/credential.js'
import { type Privileges, noPrivileges } from '../authorization/privileges.js'
import { ownMember } from '../codec/json-object.js'
import type { RefusedMetadata } from '../client/metadata-refusal.js'
import type { ReadStatement } from '../client/software-statement.js'
import type { InsufficientScope, InvalidRequest, InvalidToken, MissingToken } from '../errors.js'
import { judgePermission } from './permit-registration.js'
import { type GeneratedCredentials, type RegisteredClient, registeredClient } from './registered-client.js'
import { type ReadRegistration, readRegistrationRequest } from './registration-request.js'
import { type RegistrationSettings, ruleBook } from './registration-settings.js'

export type RegistrationRefusal = MissingToken | InvalidToken | InvalidRequest | RefusedMetadata | InsufficientScope

/** The facts about the body, for an authorized registrant. */
export type BodyFacts = {
  readonly body: E.Either<InvalidRequest, unknown>
  readonly statement: O.Option<ReadStatement>
  readonly issued: GeneratedCredentials
}

export type RegistrationFacts = BodyFacts & {
  readonly credential: PresentedCredential
  readonly token: O.Option<InitialAccessToken>
  /** The address of the requester, if known. */
  readonly remoteAddress?: string | undefined
}

export type DecidedRegistration = { readonly client: RegisteredClient; readonly consumedToken: O.Option<TokenHash> }

type AuthorizedRegistrant = E.Either<MissingToken | InvalidToken, Registrant>

/** Each step of the decision, also for a refused registration, and the answer that results from them. */
export type RegistrationTrace = {
  readonly registrant: AuthorizedRegistrant
  readonly read: E.Either<InvalidRequest, ReadRegistration>
  readonly requested: Privileges
  readonly missing: Privileges
  readonly answer: E.Either<RegistrationRefusal, DecidedRegistration>
}

const unreadable = (registrant: AuthorizedRegistrant, read: E.Left<InvalidRequest>): RegistrationTrace => ({
  registrant,
  read,
  requested: noPrivileges,
  missing: noPrivileges,
  answer: E.isLeft(registrant) ? registrant : read,
})

/** Is the request well-formed (400)? Is it permitted (403)? Then it results in this client. */
export const traceFor = (
  settings: RegistrationSettings,
): ((registrant: AuthorizedRegistrant, facts: BodyFacts) => RegistrationTrace) => {
  const readRequest = readRegistrationRequest(ruleBook(settings))
  return (registrant, { body, statement, issued }) => {
    if (E.isLeft(body)) return unreadable(registrant, body)
    // Without an authorization, the faults are those that the bearer of a token would be told.
    const registeredBy = E.isRight(registrant) ? registrant.right.by : 'token'
    const secretLength = issued.client_secret.length
    const read = readRequest({ body: body.right, statement, secretLength, registeredBy })
    if (E.isLeft(read)) return unreadable(registrant, read)
    const { body: sent, request, refusal } = read.right
    const { requested, missing, answer } = judgePermission(E.isLeft(registrant) ? undefined : registrant.right, {
      metadata: request.metadata,
      preferred_client_id: ownMember(sent, 'preferred_client_id'),
      preferred_client_secret: ownMember(sent, 'preferred_client_secret'),
    })
    const steps = { registrant, read, requested, missing }
    if (E.isLeft(registrant)) return { answer: registrant, ...steps }
    if (refusal !== undefined) return { answer: E.left(refusal), ...steps }
    if (E.isLeft(answer)) return { answer, ...steps }
    const { consumedToken } = registrant.right
    const client = registeredClient(settings.credentials, issued)(request, answer.right, registrant.right)
    return { answer: E.right({ client, consumedToken }), ...steps }
  }
}

/**
 * Is the requester authorized (401)? Is the request well-formed (400)? Is it permitted (403)? Every step is judged,
 * also after a refusal.
 */
export const traceRegistration = (
  settings: RegistrationSettings,
): ((facts: RegistrationFacts) => RegistrationTrace) => {
  const authorized = authorizeRegistrant(settings.mode, settings.policy.ceilings)
  const trace = traceFor(settings)
  return (facts) => trace(authorized(facts.credential, facts.token, facts.issued.at), facts)
}

/** The answer alone. */
export const decideRegistration = (
  settings: RegistrationSettings,
): ((facts: RegistrationFacts) => RegistrationTrace['answer']) => {
  const trace = traceRegistration(settings)
  return (facts) => trace(facts).answer
}
