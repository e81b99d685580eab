// RFC 7591 §3.1: the decision about a registration, with all that led to it.
import * as E from 'fp-ts/lib/Either.js'
import type * as O from 'fp-ts/lib/Option.js'
import { type Registrant, authorizeRegistrant } from '../authorization/authorize-registrant.js'
import type { InitialAccessToken } from '../authorization/initial-access-token.js'
import type { PresentedCredential } from '../authorization/presented-credential.js'
import { type Privileges, noPrivileges } from '../authorization/privileges.js'
import type { TokenHash } from '../authorization/token-hash.js'
import { ownMember } from '../codec/json-object.js'
import type { RefusedMetadata } from '../client/metadata-refusal.js'
import type { ReadStatement } from '../client/software-statement.js'
import type { InsufficientScope, InvalidRequest, InvalidToken, MissingToken } from '../errors.js'
import { judgePermission } from './permit-registration.js'
import { type Issued, type RegisteredClient, registeredClient } from './registered-client.js'
import { type ReadRegistration, readRegistrationRequest } from './registration-request.js'
import { type RegistrationSettings, ruleBook } from './registration-settings.js'

export type RegistrationRefusal = MissingToken | InvalidToken | InvalidRequest | RefusedMetadata | InsufficientScope

/** What is known of the body, whose requester may register. */
export type BodyFacts = {
  readonly body: E.Either<InvalidRequest, unknown>
  readonly statement: O.Option<ReadStatement>
  readonly issued: Issued
}

export type RegistrationFacts = BodyFacts & {
  readonly credential: PresentedCredential
  readonly token: O.Option<InitialAccessToken>
  /** The address that the request came from, where it is known. */
  readonly remoteAddress?: string | undefined
}

export type DecidedRegistration = { readonly client: RegisteredClient; readonly spending: O.Option<TokenHash> }

type AuthorizedRegistrant = E.Either<MissingToken | InvalidToken, Registrant>

/** Each step of the decision, of a refused registration, too, and the answer that follows from them. */
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

/** Is it well-formed (400)? Is it permitted (403)? Then this is the client. */
export const traceFor = (
  settings: RegistrationSettings,
): ((registrant: AuthorizedRegistrant, facts: BodyFacts) => RegistrationTrace) => {
  const readRequest = readRegistrationRequest(ruleBook(settings))
  return (registrant, { body, statement, issued }) => {
    if (E.isLeft(body)) return unreadable(registrant, body)
    const read = readRequest({ body: body.right, statement, secretLength: issued.client_secret.length })
    if (E.isLeft(read)) return unreadable(registrant, read)
    const { body: sent, request, refusal } = read.right
    const { requested, missing, answer } = judgePermission(E.isLeft(registrant) ? undefined : registrant.right, {
      metadata: request.metadata,
      preferred_client_id: ownMember(sent, 'preferred_client_id'),
      preferred_client_secret: ownMember(sent, 'preferred_client_secret'),
    })
    const answerWith = (decided: RegistrationTrace['answer']): RegistrationTrace => ({
      registrant,
      read,
      requested,
      missing,
      answer: decided,
    })
    if (E.isLeft(registrant)) return answerWith(registrant)
    if (refusal !== undefined) return answerWith(E.left(refusal))
    if (E.isLeft(answer)) return answerWith(answer)
    const client = registeredClient(settings.credentials, issued)(request, answer.right, registrant.right)
    return answerWith(E.right({ client, spending: registrant.right.spending }))
  }
}

/** Who asks (401)? Is it well-formed (400)? Is it permitted (403)? All is judged, whatever the first of them says. */
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
