import * as E from 'fp-ts/lib/Either.js'
import * as RNEA from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { BudgetKind, ExhaustedBudget } from './budgets.js'
import { type RuleId, ruleTexts } from './all-rules.js'
import { type BrokenRule, type Fault, type RuleCodec, decode, faultBy, reportedFaults } from './faults.js'
import { isPlainObject } from './json-object.js'
import { metadataRules } from './rule-texts.js'
import type { EpochSeconds } from './time.js'

/** Refusals are plain values, tagged with the RFCs' error code where there is one. Descriptions are fixed ASCII. */
type Described<Code extends string> = { readonly error: Code; readonly error_description: string }
type WithFaults<Code extends string> = Described<Code> & { readonly errors: RNEA.ReadonlyNonEmptyArray<Fault> }

// Bundlers leave out what a program does not use of the constants that it makes.
/* @__NO_SIDE_EFFECTS__ */
const described = <Code extends string>(error: Code, error_description: string): Described<Code> => ({
  error,
  error_description,
})

// Bodies and their metadata.

export type InvalidRequest = Described<'invalid_request'> & { readonly errors?: ReadonlyArray<Fault> }
/* @__NO_SIDE_EFFECTS__ */
export const invalidRequest = (error_description: string): InvalidRequest =>
  described('invalid_request', error_description)
export const invalidBody = (errors: RNEA.ReadonlyNonEmptyArray<Fault>): InvalidRequest => ({
  ...invalidRequest(errors[0].description),
  errors,
})
export const jsonExpected = invalidRequest('The Content-Type must be application/json in UTF-8')
/** draft-ietf-oauth-client-id-metadata-document-02 §5: the metadata is that of the document. */
export const describedByDocument = invalidRequest(
  'The document at the client_id describes this client: change the document, which is read again when it is not fresh',
)
/** RFC 7591 §3.2.2 */
export type InvalidRedirectUri = WithFaults<'invalid_redirect_uri'>
export type InvalidClientMetadata = WithFaults<'invalid_client_metadata'>
export type InvalidSoftwareStatement = WithFaults<'invalid_software_statement'>
export type UnapprovedSoftwareStatement = WithFaults<'unapproved_software_statement'>
/** RFC 6749 §5.2 */
export type InvalidScope = WithFaults<'invalid_scope'>

// Credentials: RFC 6750 §3.1.

export type InsufficientScope = Described<'insufficient_scope'> & {
  /** What the request needs beyond what its token has. */
  readonly scope?: string
}
/* @__NO_SIDE_EFFECTS__ */
export const insufficientScope = (error_description: string): InsufficientScope =>
  described('insufficient_scope', error_description)
/** The presented credential is invalid. */
export type InvalidToken = Described<'invalid_token'>
/** The same for a client that is gone, and for one that never was. */
export const invalidToken = described(
  'invalid_token',
  'The token is unknown, expired or not for this client: present its registration access token, or register the client anew',
)
export const invalidInitialAccessToken = described(
  'invalid_token',
  'The token is unknown, expired or consumed: ask the operator for an initial access token, which registers one client',
)
export const invalidOperatorToken = described(
  'invalid_token',
  'The token is unknown, expired or revoked: present the master token, or an operator token in force',
)
export const unusableToken = described(
  'invalid_token',
  'The request presents no token that can be read: send it once, as Authorization: Bearer TOKEN',
)
/** The request has no credential and needs one; the challenge has no code then, only the body has. */
export type MissingToken = Described<'missing_token'>
/** RFC 6750 §2.1: the credential that the request must present. */
export const missingToken = (needed: string): MissingToken =>
  described('missing_token', `${needed}: send it as Authorization: Bearer TOKEN`)

// Clients and their registrations.

/** Only an operator is informed that a client does not exist. */
export type UnknownClient = { readonly error: 'unknown_client' }
export const unknownClient: UnknownClient = { error: 'unknown_client' }
/** Another client has the client_id. */
export type ClientIdTaken = { readonly error: 'client_id_taken' }
export const clientIdTaken: ClientIdTaken = { error: 'client_id_taken' }
/** The registry has the maximum number of clients of the operator's policy. */
export type RegistryFull = { readonly error: 'registry_full' }
export const registryFull: RegistryFull = { error: 'registry_full' }
/** The client_id of a removed client is registered again. */
export type RestorationConflict = Described<'client_id_taken'>
export const restorationConflict = described(
  'client_id_taken',
  'Another client is registered with this client_id: delete that one first',
)
/** Only a client that waits for an approval, or was refused it, can be refused. */
export type ClientInForce = Described<'client_in_force'>
export const clientInForce = described(
  'client_in_force',
  'The client waits for no approval, so that it cannot be refused: suspend it or delete it',
)
/** An operator asks for what the client_secrets of the client do not permit. */
export type ClientSecretConflict = Described<'client_secret_conflict'>
export const noClientSecret = described(
  'client_secret_conflict',
  'The client authenticates without a client_secret: change its token_endpoint_auth_method first',
)
export const twoClientSecrets = described(
  'client_secret_conflict',
  'The client has two client_secrets: drop the preceding one first',
)
export const noPrecedingSecret = described(
  'client_secret_conflict',
  'The client has one client_secret alone, so that none precedes it: add a second one first',
)
/** The filter selects another number of things than the operator has confirmed. */
export type CountChanged = Described<'count_changed'> & { readonly count: number }
export const countChanged = (count: number, things = 'clients'): CountChanged => ({
  ...described(
    'count_changed',
    `The filter selects ${count} ${count === 1 ? things.slice(0, -1) : things} now, and nothing was changed: confirm this number`,
  ),
  count,
})
/** RFC 9110 §15.5.13: the client is in another version than the request names. */
export type PreconditionFailed = Described<'precondition_failed'>
export const preconditionFailed = described(
  'precondition_failed',
  'The client was changed since the version that the request names: read it again, and name its present entity tag (If-Match)',
)
/** RFC 6585 §3: the request names no version of the client, and must. */
export type PreconditionRequired = Described<'precondition_required'>
export const preconditionRequired = described(
  'precondition_required',
  'A change must name the version that it is for: read the client, and send its ETag as If-Match',
)
/** draft-ietf-httpapi-idempotency-key-header-07 §2.7: another body was sent with the key. */
export type IdempotencyKeyReused = Described<'idempotency_key_reused'>
export const idempotencyKeyReused = described(
  'idempotency_key_reused',
  'Another body was registered with this Idempotency-Key: send that body again, or another key',
)
/** The registration that was requested with the key cannot be answered again. */
export type IdempotencyConflict = Described<'idempotency_conflict'>
export const registrationChanged = described(
  'idempotency_conflict',
  'The client that was registered with this Idempotency-Key was changed since: read it with its own token',
)
export const registrationEnded = described(
  'idempotency_conflict',
  'The client that was registered with this Idempotency-Key has just ended: send the request again',
)

// What operators manage beside clients.

/** No initial access token in force has the id. */
export type UnknownInitialAccessToken = Described<'unknown_initial_access_token'>
export const unknownInitialAccessToken = described(
  'unknown_initial_access_token',
  'No initial access token in force has this id: it was spent, has expired or was revoked',
)
/** No operator token in force has the id. */
export type UnknownOperatorToken = Described<'unknown_operator_token'>
export const unknownOperatorToken = described(
  'unknown_operator_token',
  'No operator token in force has this id: it has expired or was revoked',
)
/** A key operation is not possible; `known` are the existing names, `faults` the faults of a file. */
export type KeyRefusal = Described<
  'unknown_algorithm' | 'unknown_kid' | 'roll_over_under_way' | 'kid_known' | 'too_many_foreign_keys' | 'invalid_keys'
> & {
  readonly known?: ReadonlyArray<string>
  readonly faults?: ReadonlyArray<string>
  readonly signs_from?: EpochSeconds
}
export const invalidKeys = (faults: ReadonlyArray<string>): KeyRefusal => ({
  ...described('invalid_keys', 'The file is not a set of keys that can be taken; nothing was taken'),
  faults,
})
/** No live end-user session has this name. */
export type UnknownSession = { readonly error: 'unknown_session' }
export const unknownSession: UnknownSession = { error: 'unknown_session' }
/** No connection has the id, or it was revoked too long ago. */
export type UnknownConnection = Described<'unknown_connection'>
export const unknownConnection = described(
  'unknown_connection',
  'No connection has this id, or it was revoked too long ago: clientele connections list shows those that there are',
)
/** The session has the maximum number of clients. */
export type SessionFull = { readonly error: 'session_full' }
export const sessionFull: SessionFull = { error: 'session_full' }
/** No failed logout notification has the id. */
export type UnknownNotification = Described<'unknown_notice'>
export const unknownNotification = described(
  'unknown_notice',
  'No logout notification that has failed has this id: clientele logouts list names those that have',
)
/** The settings on disk are faulty: those in force go on. */
export type InvalidSettings = Described<'invalid_settings'> & { readonly faults: ReadonlyArray<string> }
export const invalidSettings = (faults: ReadonlyArray<string>): InvalidSettings => ({
  ...described('invalid_settings', 'The settings are faulty; nothing was reloaded'),
  faults,
})

// The service itself.

/** RFC 6585 §4: the budget of this kind of work is exhausted. */
export type TooManyRequests = Pick<ExhaustedBudget, 'retryAfter' | 'scope'> & {
  readonly error: 'too_many_requests'
  readonly kind: BudgetKind
}
export const tooManyRequests =
  (kind: BudgetKind) =>
  ({ retryAfter, scope }: ExhaustedBudget): TooManyRequests => ({ error: 'too_many_requests', kind, retryAfter, scope })
/** The store cannot answer now; detail is for the log only, and reason, where there is one, for everybody who asks. */
export type Unavailable = {
  readonly error: 'unavailable'
  readonly detail: unknown
  readonly reason?: string
  /** What of a request for many things was done before, and how to go on: for whoever asked. */
  readonly done?: Readonly<Record<string, unknown>> & { readonly error_description: string }
}
export const unavailable = (detail: unknown): Unavailable => ({ error: 'unavailable', detail })

export type Refusal =
  | IdempotencyKeyReused
  | IdempotencyConflict
  | PreconditionFailed
  | PreconditionRequired
  | CountChanged
  | ClientInForce
  | ClientSecretConflict
  | RestorationConflict
  | InvalidRequest
  | InvalidRedirectUri
  | InvalidClientMetadata
  | InvalidSoftwareStatement
  | UnapprovedSoftwareStatement
  | InvalidScope
  | InsufficientScope
  | InvalidToken
  | MissingToken
  | UnknownClient
  | RegistryFull
  | KeyRefusal
  | UnknownSession
  | SessionFull
  | UnknownConnection
  | UnknownNotification
  | UnknownInitialAccessToken
  | UnknownOperatorToken
  | InvalidSettings
  | TooManyRequests
  | Unavailable

// Bodies other than client metadata: each is decoded as a whole, and all faults are reported.

/** A body that is JSON, but no object. */
export const notAnObject: InvalidRequest = invalidRequest(metadataRules['json-object'].text)

/** A fault of any body. Bundlers leave it out, with the texts that client metadata has not, where no program uses it. */
export const anyFault = /* @__PURE__ */ faultBy(ruleTexts)

/** The decoded body, or the refusal with all of its faults. */
export const decodeBody =
  <A, Refusal>(codec: RuleCodec<A, RuleId>, refuse: (faults: RNEA.ReadonlyNonEmptyArray<Fault>) => Refusal) =>
  (body: unknown): E.Either<InvalidRequest | Refusal, A> => {
    if (!isPlainObject(body)) return E.left(notAnObject)
    return pipe(
      decode(codec)(body),
      E.mapLeft((rules) =>
        refuse(reportedFaults(RNEA.map(({ rule, path }: BrokenRule<RuleId>) => anyFault(rule)(...path))(rules))),
      ),
    )
  }
